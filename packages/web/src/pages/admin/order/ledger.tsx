import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { Mono } from '../parts/facts.tsx'
import { PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import type { Books } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.ledger
type Entry = Books['entries'][number]

/** The ledger of an order with its balance. */
export const Ledger = ({ entries }: { entries: readonly Entry[] }) => (
  <ListPanel title={texts.title} text={texts.text}>
    <DataTable
      caption={texts.caption}
      columns={columns}
      rows={entries}
      keyOf={({ id }) => String(id)}
      empty={texts.none}
    />
    {entries.length > 0 ? (
      <p className="flex justify-end gap-3 font-semibold">
        {texts.balance}
        <Money cents={entries.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)} />
      </p>
    ) : null}
  </ListPanel>
)

const columns: Column<Entry>[] = [
  {
    title: texts.columns.what,
    show: ({ kind, reason }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold">{texts.kinds[kind]}</span>
        {reason ? <span className="text-sm wrap-anywhere text-soft">{reason}</span> : null}
      </span>
    ),
  },
  {
    title: texts.columns.amount,
    isAtEnd: true,
    show: ({ amount_in_cents }) => <Money cents={amount_in_cents} />,
  },
  {
    title: texts.columns.where,
    show: ({ provider, reference }) => (
      <span className="grid gap-0.5">
        <span>{provider}</span>
        <Mono>{reference}</Mono>
      </span>
    ),
  },
  {
    title: texts.columns.who,
    show: ({ actor_id, actor_email }) =>
      actor_id ? <PersonLink id={actor_id} email={actor_email} /> : texts.service,
  },
  { title: texts.columns.when, show: ({ created_at }) => <When at={created_at} /> },
]
