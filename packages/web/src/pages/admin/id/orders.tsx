import { Link } from '@tanstack/react-router'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import type { IdOverview } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.orders
type Order = NonNullable<IdOverview['orders']>[number]
type Props = { emojiId: string; orders: readonly Order[] }

export const OrdersPanel = ({ emojiId, orders }: Props) => (
  <ListPanel
    title={texts.title}
    actions={
      <Link to="/admin/orders" search={{ q: emojiId } as never} className={buttonLook('second')}>
        {texts.all}
      </Link>
    }
  >
    <DataTable
      caption={texts.caption}
      columns={columns}
      rows={orders}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)

const tones: Partial<Record<Order['status'], Tone>> = { Paid: 'good', Cancelled: 'wrong' }

const columns: Column<Order>[] = [
  {
    title: texts.columns.number,
    show: ({ id, order_number }) => (
      <OrderLink id={id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
    ),
  },
  {
    title: texts.columns.buyer,
    isLong: true,
    show: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
  },
  {
    title: texts.columns.state,
    show: ({ status, refunded }) => (
      <span className="inline-flex flex-wrap justify-end gap-2 md:justify-start">
        <Badge tone={tones[status] ?? 'plain'}>{texts.states[status]}</Badge>
        {refunded ? <Badge>{texts.refunded}</Badge> : null}
      </span>
    ),
  },
  {
    title: texts.columns.price,
    isAtEnd: true,
    show: ({ price_in_cents: cents }) => (cents === null ? texts.inBox : <Money cents={cents} />),
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]
