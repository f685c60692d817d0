import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Field } from '../../../design/field.tsx'
import { Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type ReservedEntry, removeReserved, reserve, reservedPageQuery } from './queries.ts'
import { texts } from './texts.ts'

/** Ids and patterns that are not for sale. */
export function ReservedPage() {
  const { page, filters, field } = useList({ q: 'text' })
  const answer = useQuery(reservedPageQuery(page, filters))
  return (
    <ListPage
      title={adminTexts.sections.reserved}
      actions={<ReserveButton />}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
        </Filters>
      }
      answer={answer}
      csv={{ path: '/admin/reserved_ids/csv', name: 'reserved-ids', filters: omitEmpty(filters) }}
      texts={texts}
      columns={columns}
      keyOf={({ pattern }) => pattern}
      empty={texts.notFound}
    />
  )
}

function ReserveButton() {
  const [pattern, setPattern] = useState('')
  const { field, hint, ...dialog } = texts.reserve
  return (
    <AskButton
      {...dialog}
      look="main"
      asksReason
      sends={pattern}
      run={(reason) => reserve(pattern.trim(), reason)}
      onDone={() => setPattern('')}
    >
      <Field
        label={field}
        hint={hint}
        required
        {...textLengths.idPattern}
        autoComplete="off"
        value={pattern}
        onChange={({ currentTarget }) => setPattern(currentTarget.value)}
      />
    </AskButton>
  )
}

const columns: Column<ReservedEntry>[] = [
  { title: texts.columns.pattern, show: ({ pattern }) => <span lang="zxx">{pattern}</span> },
  { title: texts.columns.reason, isLong: true, show: ({ reason }) => reason },
  { title: texts.columns.since, show: ({ reserved_at }) => <When at={reserved_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    show: ({ pattern }) => <RemoveButton pattern={pattern} />,
  },
]

function RemoveButton({ pattern }: { pattern: string }) {
  const { text, label, ...dialog } = texts.remove
  return (
    <AskButton
      {...dialog}
      label={
        <>
          {label}
          <span className="sr-only"> {pattern}</span>
        </>
      }
      text={text(pattern)}
      asksReason
      run={(reason) => removeReserved(pattern, reason)}
    />
  )
}
