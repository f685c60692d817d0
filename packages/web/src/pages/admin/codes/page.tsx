import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { CodeLink } from '../parts/links.tsx'
import { texts as adminTexts } from '../texts.ts'
import { CodePage } from './code.tsx'
import { CodeForm } from './code-form.tsx'
import { CodeAmount, CodeState } from './code-state.tsx'
import { emptyDraft, newCodeOf } from './draft.ts'
import { type Code, codeActions, codePageQuery, codeTypes } from './queries.ts'
import { formTexts, texts } from './texts.ts'

/** The list, or the code that the URL names. */
export function CodesPage() {
  const { code } = useList({ code: 'text' }).filters
  if (code === 'new') return <NewCodePage />
  return code ? <CodePage key={code} id={code} /> : <CodeList />
}

const kindOptions = optionsOf(codeTypes, texts.kinds)

function CodeList() {
  const { page, filters, field } = useList({ q: 'text', kind: codeTypes })
  const answer = useQuery(codePageQuery({ page, q: filters.q, code_type: filters.kind }))
  return (
    <ListPage
      title={adminTexts.sections.codes}
      actions={
        <Link to="/admin/codes" search={{ code: 'new' }} className={buttonLook()}>
          {texts.new}
        </Link>
      }
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          <FilterSelect
            label={texts.kind}
            all={texts.everyKind}
            options={kindOptions}
            {...field('kind')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{
        path: '/codes/export',
        name: 'codes',
        filters: omitEmpty({ q: filters.q, code_type: filters.kind }),
      }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}

const columns: Column<Code>[] = [
  {
    title: texts.columns.name,
    show: ({ id, name, redemption_code }) => (
      <span className="grid gap-0.5">
        <CodeLink id={id}>
          <span className="font-semibold">{name}</span>
        </CodeLink>
        <span className="text-sm wrap-anywhere text-soft">
          {redemption_code ?? texts.bySignature}
        </span>
      </span>
    ),
  },
  { title: texts.columns.kind, show: ({ code_type }) => texts.kinds[code_type] },
  { title: texts.columns.off, isAtEnd: true, show: (code) => <CodeAmount {...code} /> },
  {
    title: texts.columns.uses,
    isAtEnd: true,
    show: ({ total_uses, max_uses }) => (
      <span className="tabular-nums">{texts.uses(total_uses, max_uses)}</span>
    ),
  },
  { title: texts.columns.state, show: (code) => <CodeState {...code} /> },
]

function NewCodePage() {
  const navigate = useNavigate()
  // Idempotency keys: a double click creates one code; a rejected form can be sent again.
  const [keys] = useState(() => new Map<string, string>())
  const save = (body: ReturnType<typeof newCodeOf>) => {
    const wish = JSON.stringify(body)
    const key = keys.get(wish) ?? crypto.randomUUID()
    keys.set(wish, key)
    return codeActions.create(body, key)
  }
  const go = (search: { code?: string }) => navigate({ to: '/admin/codes', search })
  return (
    <Section title={formTexts.newTitle}>
      <CodeForm
        start={emptyDraft}
        isNew
        action={formTexts.create}
        save={(draft, reason) => save({ ...newCodeOf(draft), reason })}
        onSaved={({ id }) => {
          announce(formTexts.created)
          void queries.invalidateQueries({ queryKey: ['codes'] })
          go({ code: id })
        }}
        onCancel={() => go({})}
      />
    </Section>
  )
}
