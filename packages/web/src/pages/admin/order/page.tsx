import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type AdminOrder, organizationQuery } from '../../../api/admin.ts'
import { isRefundPending } from '../../../api/shop.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Money } from '../../../design/money.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { OrderState } from '../orders/columns.tsx'
import { columnsOfOneOrder } from '../orders/refund-columns.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { CodeLink, OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import { OrderActions } from './actions.tsx'
import { adminOrderQuery, type Books } from './queries.ts'
import { texts } from './texts.ts'

/** One order with its ledger. */
export function OrderPage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(adminOrderQuery(id))
  if (!data) {
    return (
      <Section title={texts.plainTitle}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const { order, books, refunds } = data
  return (
    <Section title={texts.title(order.order_number)}>
      <OrderActions order={order} books={books} />
      <RefundRequest order={order} />
      <Summary order={order} />
      <Items order={order} />
      <Ledger entries={books.entries} />
      <ListPanel title={texts.refunds.title}>
        <DataTable
          caption={texts.refunds.caption}
          columns={columnsOfOneOrder}
          rows={refunds}
          keyOf={(refund) => refund.id}
          empty={texts.refunds.none}
        />
      </ListPanel>
      <Attempts attempts={books.attempts} />
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/orders" className={buttonLook()}>
    {texts.back}
  </Link>
)

const Summary = ({ order }: { order: AdminOrder }) => (
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

const itemsTexts = texts.items
type Item = AdminOrder['order_items'][number]

const Items = ({ order }: { order: AdminOrder }) => (
  <ListPanel title={itemsTexts.title}>
    <DataTable
      caption={itemsTexts.caption}
      columns={itemColumns}
      rows={order.order_items}
      keyOf={({ id }) => id}
      empty={itemsTexts.none}
    />
  </ListPanel>
)

const itemColumns: Column<Item>[] = [
  { title: itemsTexts.columns.item, show: (item) => <ItemName {...item} /> },
  {
    title: itemsTexts.columns.price,
    isAtEnd: true,
    show: ({ unit_price_in_cents }) => <Money cents={unit_price_in_cents} />,
  },
  {
    title: itemsTexts.columns.fees,
    isAtEnd: true,
    show: (item) => <Money cents={item.client_fee_in_cents + item.company_fee_in_cents} />,
  },
  { title: itemsTexts.columns.state, show: (item) => <ItemState {...item} /> },
]

function ItemName({ item_type, emoji_id, code_id }: Item) {
  if (emoji_id) {
    return (
      <span className="grid justify-items-start gap-1">
        <EmojiId id={emoji_id} size="small" />
        <span aria-hidden="true" className="text-sm text-soft">
          {spokenNames(emoji_id)}
        </span>
      </span>
    )
  }
  if (item_type === 'LootBox') return itemsTexts.box
  return code_id ? <CodeLink id={code_id}>{itemsTexts.discount}</CodeLink> : itemsTexts.discount
}

/** Obstacles of the item itself, not of its order. */
const ownObstacles = new Set<string>(['not_owned', 'minted', 'signature_live', 'opened'])

function ItemState({ refunded_quantity, refund_obstacle, marked_invalid_at_reason }: Item) {
  if (refunded_quantity > 0) return <Badge>{itemsTexts.refunded}</Badge>
  if (refund_obstacle && ownObstacles.has(refund_obstacle))
    return itemsTexts.obstacles[refund_obstacle]
  if (marked_invalid_at_reason) {
    return <Badge tone="wrong">{itemsTexts.invalid[marked_invalid_at_reason]}</Badge>
  }
  return '—'
}

const attemptsTexts = texts.attempts
const methods: Record<string, string> = attemptsTexts.methods
type Attempt = Books['attempts'][number]

const Attempts = ({ attempts }: { attempts: readonly Attempt[] }) => (
  <ListPanel title={attemptsTexts.title}>
    <DataTable
      caption={attemptsTexts.caption}
      columns={attemptColumns}
      rows={attempts}
      keyOf={({ id }) => id}
      empty={attemptsTexts.none}
    />
  </ListPanel>
)

const attemptColumns: Column<Attempt>[] = [
  { title: attemptsTexts.columns.method, show: ({ method }) => methods[method] ?? method },
  {
    title: attemptsTexts.columns.amount,
    isAtEnd: true,
    show: ({ amount_in_cents }) => <Money cents={amount_in_cents} />,
  },
  {
    title: attemptsTexts.columns.state,
    show: ({ status, close_reason, late_order_id }) => {
      const state = close_reason ? attemptsTexts.closeReasons[close_reason] : null
      return late_order_id ? (
        <OrderLink id={late_order_id}>{state ?? attemptsTexts.late}</OrderLink>
      ) : (
        <Badge>{state ?? attemptsTexts.states[status]}</Badge>
      )
    },
  },
  {
    title: attemptsTexts.columns.seen,
    show: ({ seen_at }) => (seen_at ? <When at={seen_at} /> : attemptsTexts.notSeen),
  },
  {
    title: attemptsTexts.columns.reference,
    show: ({ reference }) => (reference ? <Mono>{reference}</Mono> : attemptsTexts.noReference),
  },
  { title: attemptsTexts.columns.when, show: ({ created_at }) => <When at={created_at} /> },
]

const ledgerTexts = texts.ledger
type Entry = Books['entries'][number]

/** The ledger of an order with its balance. */
const Ledger = ({ entries }: { entries: readonly Entry[] }) => (
  <ListPanel title={ledgerTexts.title} text={ledgerTexts.text}>
    <DataTable
      caption={ledgerTexts.caption}
      columns={ledgerColumns}
      rows={entries}
      keyOf={({ id }) => String(id)}
      empty={ledgerTexts.none}
    />
    {entries.length > 0 ? (
      <p className="flex justify-end gap-3 font-semibold">
        {ledgerTexts.balance}
        <Money cents={entries.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)} />
      </p>
    ) : null}
  </ListPanel>
)

const ledgerColumns: Column<Entry>[] = [
  {
    title: ledgerTexts.columns.what,
    show: ({ kind, reason }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold">{ledgerTexts.kinds[kind]}</span>
        {reason ? <span className="text-sm wrap-anywhere text-soft">{reason}</span> : null}
      </span>
    ),
  },
  {
    title: ledgerTexts.columns.amount,
    isAtEnd: true,
    show: ({ amount_in_cents }) => <Money cents={amount_in_cents} />,
  },
  {
    title: ledgerTexts.columns.where,
    show: ({ provider, reference }) => (
      <span className="grid gap-0.5">
        <span>{provider}</span>
        <Mono>{reference}</Mono>
      </span>
    ),
  },
  {
    title: ledgerTexts.columns.who,
    show: ({ actor_id, actor_email }) =>
      actor_id ? <PersonLink id={actor_id} email={actor_email} /> : ledgerTexts.service,
  },
  { title: ledgerTexts.columns.when, show: ({ created_at }) => <When at={created_at} /> },
]

const { request: requestTexts } = texts

/** The buyer's refund request and its outcome. */
function RefundRequest({ order }: { order: AdminOrder }) {
  const { refund_requested_at: asked_at, refund_request, eligible_for_refund } = order
  const { refund_answered_at: answered_at, refund_declined } = order
  if (!asked_at) return null
  return (
    <Panel title={isRefundPending(order) ? requestTexts.title : requestTexts.titleDone}>
      <Quote>{refund_request}</Quote>
      <p className="text-soft">
        {requestTexts.asked} <When at={asked_at} isExact />.{' '}
        {answered_at ? (
          <>
            {refund_declined === null ? requestTexts.refunded : requestTexts.declined}{' '}
            <When at={answered_at} isExact />.
          </>
        ) : eligible_for_refund ? (
          ''
        ) : (
          requestTexts.late
        )}
      </p>
      {refund_declined === null ? null : <Quote>{refund_declined}</Quote>}
    </Panel>
  )
}

const Quote = ({ children }: { children: string | null | undefined }) => (
  <blockquote className="border-l-4 border-main pl-4 wrap-anywhere whitespace-pre-line">
    {children}
  </blockquote>
)
