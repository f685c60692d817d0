import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Money } from '../../../design/money.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { auditColumns } from '../audit/columns.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { reportColumns } from '../reports/columns.tsx'
import { FactsPanel } from './facts.tsx'
import { type IdOverview, overviewQuery } from './queries.ts'
import { texts } from './texts.ts'

/** One id as operators see it. */
export function IdPage() {
  const { id: typedId = '' } = useParams({ strict: false })
  const { data: id, error } = useQuery(overviewQuery(typedId))
  if (!id) {
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const { emoji_id, orders, transfers, history } = id
  return (
    <Section
      title={texts.titleOf(spokenNames(id.display_format))}
      actions={
        <>
          <a href={`/${encodeURIComponent(emoji_id)}`} className={buttonLook('second')}>
            {texts.publicPage}
          </a>
          <Link
            to="/admin/audit"
            search={{ id: emoji_id } as never}
            className={buttonLook('second')}
          >
            {texts.log}
          </Link>
          <Back />
        </>
      }
    >
      <FactsPanel id={id} />
      <ReportsPanel reports={id.reports} />
      {orders ? <OrdersPanel emojiId={emoji_id} orders={orders} /> : null}
      {transfers ? <TransfersPanel transfers={transfers} /> : null}
      {history ? <HistoryPanel history={history} /> : null}
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/ids" className={buttonLook('second')}>
    {texts.back}
  </Link>
)

const ordersTexts = texts.orders
type Order = NonNullable<IdOverview['orders']>[number]
type Props = { emojiId: string; orders: readonly Order[] }

const OrdersPanel = ({ emojiId, orders }: Props) => (
  <ListPanel
    title={ordersTexts.title}
    actions={
      <Link to="/admin/orders" search={{ q: emojiId } as never} className={buttonLook('second')}>
        {ordersTexts.all}
      </Link>
    }
  >
    <DataTable
      caption={ordersTexts.caption}
      columns={orderColumns}
      rows={orders}
      keyOf={({ id }) => id}
      empty={ordersTexts.none}
    />
  </ListPanel>
)

const orderTones: Partial<Record<Order['status'], Tone>> = { Paid: 'good', Cancelled: 'wrong' }

const orderColumns: Column<Order>[] = [
  {
    title: ordersTexts.columns.number,
    show: ({ id, order_number }) => (
      <OrderLink id={id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
    ),
  },
  {
    title: ordersTexts.columns.buyer,
    isLong: true,
    show: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
  },
  {
    title: ordersTexts.columns.state,
    show: ({ status, refunded }) => (
      <span className="inline-flex flex-wrap justify-end gap-2 md:justify-start">
        <Badge tone={orderTones[status] ?? 'plain'}>{ordersTexts.states[status]}</Badge>
        {refunded ? <Badge>{ordersTexts.refunded}</Badge> : null}
      </span>
    ),
  },
  {
    title: ordersTexts.columns.price,
    isAtEnd: true,
    show: ({ price_in_cents: cents }) =>
      cents === null ? ordersTexts.inBox : <Money cents={cents} />,
  },
  { title: ordersTexts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]

const transfersTexts = texts.transfers
type Transfer = NonNullable<IdOverview['transfers']>[number]

const TransfersPanel = ({ transfers }: { transfers: readonly Transfer[] }) => (
  <ListPanel title={transfersTexts.title}>
    <DataTable
      caption={transfersTexts.caption}
      columns={transferColumns}
      rows={transfers}
      keyOf={({ id }) => id}
      empty={transfersTexts.none}
    />
  </ListPanel>
)

const transferTones: Partial<Record<Transfer['status'], Tone>> = {
  accepted: 'good',
  closed: 'plain',
}

const transferColumns: Column<Transfer>[] = [
  {
    title: transfersTexts.columns.from,
    show: ({ sender_id, sender_email }) => <PersonLink id={sender_id} email={sender_email} />,
  },
  {
    title: transfersTexts.columns.to,
    isLong: true,
    show: ({ recipient_id, recipient_email }) =>
      recipient_id ? (
        <PersonLink id={recipient_id} email={recipient_email} />
      ) : (
        transfersTexts.organization
      ),
  },
  {
    title: transfersTexts.columns.state,
    show: ({ status }) => (
      <Badge tone={transferTones[status] ?? 'main'}>{transfersTexts.states[status]}</Badge>
    ),
  },
  { title: transfersTexts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: transfersTexts.columns.done,
    show: ({ accepted_at }) => (accepted_at ? <When at={accepted_at} /> : '—'),
  },
]

const reportsTexts = texts.reports

const ReportsPanel = ({ reports }: { reports: IdOverview['reports'] }) => (
  <ListPanel title={reportsTexts.title}>
    <DataTable
      caption={reportsTexts.caption}
      columns={reportColumns}
      rows={reports}
      keyOf={({ id }) => id}
      empty={reportsTexts.none}
    />
  </ListPanel>
)

const historyTexts = texts.history

const HistoryPanel = ({ history }: { history: NonNullable<IdOverview['history']> }) => (
  <ListPanel title={historyTexts.title}>
    <DataTable
      caption={historyTexts.caption}
      columns={auditColumns}
      rows={history}
      keyOf={({ id }) => id}
      empty={historyTexts.none}
    />
  </ListPanel>
)
