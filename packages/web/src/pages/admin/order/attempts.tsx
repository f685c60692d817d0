import { Badge } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { Mono } from '../parts/facts.tsx'
import { OrderLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import type { Books } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.attempts
const methods: Record<string, string> = texts.methods
type Attempt = Books['attempts'][number]

export const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ListPanel title={texts.title}>
    <DataTable
      caption={texts.caption}
      columns={columns}
      rows={attempts}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)

const columns: Column<Attempt>[] = [
  { title: texts.columns.method, show: ({ method }) => methods[method] ?? method },
  {
    title: texts.columns.amount,
    isAtEnd: true,
    show: ({ amount_in_cents }) => <Money cents={amount_in_cents} />,
  },
  {
    title: texts.columns.state,
    show: ({ status, close_reason, late_order_id }) => {
      const state = close_reason ? texts.closeReasons[close_reason] : null
      return late_order_id ? (
        <OrderLink id={late_order_id}>{state ?? texts.late}</OrderLink>
      ) : (
        <Badge>{state ?? texts.states[status]}</Badge>
      )
    },
  },
  {
    title: texts.columns.seen,
    show: ({ seen_at }) => (seen_at ? <When at={seen_at} /> : texts.notSeen),
  },
  {
    title: texts.columns.reference,
    show: ({ reference }) => (reference ? <Mono>{reference}</Mono> : texts.noReference),
  },
  { title: texts.columns.when, show: ({ created_at }) => <When at={created_at} /> },
]
