import { lootboxLimits, lootboxStatuses } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { lootboxTypesQuery } from '../../../api/admin.ts'
import type { Lootbox } from '../../../api/shop.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { FormDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Field, optionsOf, ReasonField, Select, TextArea, valueIn } from '../../../design/field.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { Money } from '../../../design/money.tsx'
import { ListPage } from '../../../design/paged-table.tsx'
import { linesOf } from '../read-input.ts'
import { texts as adminTexts } from '../texts.ts'
import { BoxStatus, ownerOf } from './box-parts.tsx'
import { DrawDialog } from './draw-dialog.tsx'
import { createLootbox, lootboxFilters, lootboxPageQuery } from './queries.ts'
import { fillTexts, texts } from './texts.ts'

const statusOptions = optionsOf(lootboxStatuses, texts.statuses)

export function LootboxesPage() {
  const { page, filters, field } = useList({ q: 'text', status: lootboxStatuses, type: 'text' })
  const isAsked = Object.values(filters).some(Boolean)
  const answer = useQuery(lootboxPageQuery(page, filters))
  const { data: types = [] } = useQuery(lootboxTypesQuery)
  const [open, setOpen] = useState<'draw' | 'fill'>()
  const navigate = useNavigate()
  return (
    <ListPage
      title={adminTexts.sections.lootboxes}
      actions={
        <>
          <Button onClick={() => setOpen('draw')}>{texts.draw}</Button>
          <Button look="second" onClick={() => setOpen('fill')}>
            {texts.fill}
          </Button>
        </>
      }
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          <FilterSelect
            label={texts.status}
            all={texts.everyStatus}
            options={statusOptions}
            {...field('status')}
          />
          <FilterSelect
            label={texts.type}
            all={texts.everyType}
            options={types.map(({ id, name }) => ({ value: id, text: name }))}
            {...field('type')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{ path: '/lootboxes/export', name: 'lootboxes', filters: lootboxFilters(filters) }}
      keyOf={({ id }) => id}
      empty={isAsked ? texts.notFound : texts.none}
    >
      {open === 'draw' ? <DrawDialog types={types} onClose={() => setOpen(undefined)} /> : null}
      {open === 'fill' ? (
        <FillDialog
          onClose={() => setOpen(undefined)}
          onDone={({ id }) => {
            announce(fillTexts.done)
            navigate({ to: '/admin/lootboxes/$id', params: { id } })
          }}
        />
      ) : null}
    </ListPage>
  )
}

const columns: Column<Lootbox>[] = [
  { title: texts.columns.contents, show: (box) => <Contents {...box} /> },
  { title: texts.columns.status, show: ({ status }) => <BoxStatus status={status} /> },
  {
    title: texts.columns.type,
    show: ({ lootbox_type }) => lootbox_type?.name ?? adminTexts.boxes.byHand,
  },
  {
    title: texts.columns.owner,
    isLong: true,
    show: (box) => ownerOf(box) ?? adminTexts.boxes.noOwner,
  },
  {
    title: texts.columns.worth,
    isAtEnd: true,
    show: ({ total_value }) => <Money cents={total_value} />,
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]

const Contents = ({ id, yats }: Lootbox) => (
  <span className="grid gap-1.5">
    <Link
      to="/admin/lootboxes/$id"
      params={{ id }}
      className="min-h-6 justify-self-start font-semibold text-main underline underline-offset-4"
    >
      {adminTexts.boxes.box(id)}
    </Link>
    <span className="flex max-w-64 flex-wrap gap-x-3 gap-y-1">
      {yats.map((yat) => (
        <EmojiId key={yat} id={yat} size="small" />
      ))}
    </span>
  </span>
)

const statuses = ['Draft', 'Available', 'Owned'] as const
type Status = (typeof statuses)[number]
const options = optionsOf(statuses, fillTexts.statuses)

type Props = { onDone: (box: Lootbox) => void; onClose: () => void }

/** Creates a box with chosen ids. */
function FillDialog({ onDone, onClose }: Props) {
  const [status, setStatus] = useState<Status>('Draft')
  return (
    <FormDialog
      title={fillTexts.title}
      text={fillTexts.text}
      action={fillTexts.action}
      run={(form) =>
        createLootbox({
          status,
          yats: linesOf(valueIn(form, 'ids')),
          ...(status === 'Owned' ? { owner_email: valueIn(form, 'owner') } : {}),
          reason: valueIn(form, 'reason'),
        })
      }
      onDone={onDone}
      onClose={onClose}
      fields={['yats', 'owner_email']}
    >
      {(problemIn) => (
        <>
          <TextArea
            label={adminTexts.boxes.ids}
            hint={adminTexts.boxes.idsHint(lootboxLimits.ids)}
            name="ids"
            required
            rows={4}
            problem={problemIn('yats')}
          />
          <Select
            label={fillTexts.status}
            options={options}
            value={status}
            onChange={({ currentTarget }) => setStatus(currentTarget.value as Status)}
          />
          {status === 'Owned' ? (
            <Field
              label={fillTexts.owner}
              name="owner"
              type="email"
              required
              problem={problemIn('owner_email')}
            />
          ) : null}
          <ReasonField />
        </>
      )}
    </FormDialog>
  )
}
