import type { AdminOrder } from '../../../api/admin.ts'
import { isRefundPending } from '../../../api/shop.ts'
import { Badge, type Tone } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { IdLink, OrderLink, PersonLink } from '../parts/links.tsx'
import { texts } from './texts.ts'

const tones: Partial<Record<AdminOrder['status'], Tone>> = { Paid: 'good', Cancelled: 'wrong' }

export const OrderState = ({ status }: Pick<AdminOrder, 'status'>) => (
  <Badge tone={tones[status] ?? 'plain'}>{texts.states[status]}</Badge>
)

/** The columns of an order list. */
export const orderColumns: Column<AdminOrder>[] = [
  { title: texts.columns.number, show: (order) => <OrderNumber {...order} /> },
  {
    title: texts.columns.buyer,
    isLong: true,
    show: ({ user }) => <PersonLink id={user.id} email={user.email} />,
  },
  { title: texts.columns.state, show: (order) => <States {...order} /> },
  {
    title: texts.columns.total,
    isAtEnd: true,
    show: ({ total_in_cents }) => <Money cents={total_in_cents} />,
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]

/** Without the buyer, for the list of one buyer. */
export const columnsOfOneBuyer = orderColumns.filter(({ title }) => title !== texts.columns.buyer)

/** A cart can have a hundred ids. */
const shownIds = 4

function OrderNumber({ id, order_number, order_items }: AdminOrder) {
  const count = order_items.filter(({ item_type }) => item_type !== 'Discount').length
  const ids = order_items.flatMap(({ emoji_id }) => emoji_id ?? [])
  return (
    <span className="grid gap-0.5">
      <OrderLink id={id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
      <span className="text-sm text-soft">{texts.items(count)}</span>
      <span className="flex max-w-72 flex-wrap">
        {ids.slice(0, shownIds).map((id) => (
          <IdLink key={id} id={id} />
        ))}
      </span>
      {ids.length > shownIds ? (
        <span className="text-sm text-soft">{texts.moreIds(ids.length - shownIds)}</span>
      ) : null}
    </span>
  )
}

const States = (order: AdminOrder) => (
  <span className="inline-flex flex-wrap justify-end gap-2 md:justify-start">
    <OrderState status={order.status} />
    {isRefundPending(order) ? (
      <Badge tone="main">{texts.asks}</Badge>
    ) : order.refunded_total_in_cents + order.misc_refunded_total_in_cents > 0 ? (
      <Badge>{texts.refunded}</Badge>
    ) : order.refund_declined === null ? null : (
      <Badge>{texts.declined}</Badge>
    )}
  </span>
)
