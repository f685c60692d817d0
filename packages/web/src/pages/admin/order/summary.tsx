import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AdminOrder } from '../../../api/admin-orders.ts'
import { organizationQuery } from '../../../api/admin-organizations.ts'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { OrderState } from '../orders/columns.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { PersonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { texts } from './texts.ts'

export const Summary = ({ order }: { order: AdminOrder }) => (
  <Panel title={texts.summary}>
    <Facts facts={factsOf(order)} />
  </Panel>
)

/** Shows the id of the partner until its name is loaded. */
function Partner({ id }: { id: string }) {
  const { data } = useQuery(organizationQuery(id))
  return (
    <Link
      to="/admin/organizations/$id"
      params={{ id }}
      className="text-main underline underline-offset-4"
    >
      {data?.name ?? <Mono>{id}</Mono>}
    </Link>
  )
}

function factsOf(order: AdminOrder) {
  const { facts } = texts
  const { user } = order
  const moment = (name: string, at: string | null) =>
    at ? [{ name, value: <When at={at} isExact /> }] : []
  const money = (name: string, cents: number) =>
    cents > 0 ? [{ name, value: <Money cents={cents} /> }] : []
  return [
    { name: facts.state, value: <OrderState status={order.status} /> },
    {
      name: facts.buyer,
      value: <PersonLink id={user.id} email={user.email} />,
    },
    { name: facts.total, value: <Money cents={order.total_in_cents} /> },
    ...money(facts.due, order.remaining_due_in_cents),
    ...money(facts.overpaid, order.amount_overpaid_in_cents),
    ...money(facts.refunded, order.refunded_total_in_cents),
    ...money(facts.misc, order.misc_refunded_total_in_cents),
    ...money(facts.disputed, order.disputed_total_in_cents ?? 0),
    ...(order.dispute
      ? [{ name: facts.dispute, value: texts.disputes[order.dispute.status] }]
      : []),
    ...moment(facts.made, order.created_at),
    ...moment(facts.paid, order.paid_at),
    ...moment(facts.expires, order.expires_at),
    ...(order.organization_id
      ? [{ name: facts.partner, value: <Partner id={order.organization_id} /> }]
      : []),
    ...(order.tracking_data
      ? [{ name: facts.tracking, value: <Mono>{JSON.stringify(order.tracking_data)}</Mono> }]
      : []),
    { name: facts.id, value: <Mono>{order.id}</Mono> },
  ]
}
