import { spokenNames } from '@emojid/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buyableOf, feesOf, type Order, ownedItemsOf } from '../../api/shop.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { When } from '../../design/date.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { useAction } from '../../design/use-action.ts'
import { useVisit } from '../../design/use-visit.ts'
import { hourMs } from '../../time.ts'
import { Goods } from '../cart/goods.tsx'
import { PartnerStep } from '../partner/after-receipt.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { AddressForm } from './address-form.tsx'
import { Invoice } from './invoice.tsx'
import { resendReceipt } from './queries.ts'
import { RefundSection } from './refund-section.tsx'
import { isFullyRefunded, OrderState } from './state.tsx'
import { receiptTexts, texts } from './texts.ts'

const newsMs = hourMs

/** An old receipt needs no congratulation. */
const isNews = ({ paid_at }: Order): boolean =>
  Date.now() - new Date(paid_at ?? '').getTime() < newsMs

export function Receipt({ order }: { order: Order }) {
  const ownedItems = ownedItemsOf(order)
  const isVisit = useVisit()?.flow === 'create'
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <Title order={order} />
      {ownedItems.map(({ id: item_id, emoji_id: id, main_id, refund_obstacle }) =>
        id ? (
          <OwnedItem key={item_id} id={id}>
            {isVisit ? <PartnerStep id={id} /> : null}
            {!isVisit && isNews(order) ? <AddressForm id={id} /> : null}
          </OwnedItem>
        ) : main_id && refund_obstacle !== 'opened' ? (
          <Box key={item_id} id={main_id} />
        ) : null,
      )}
      <Card className="grid gap-4">
        <h2 className="print:hidden">{texts.receipt}</h2>
        {isVisit ? null : <Invoice order={order} />}
        <Goods order={order} />
        <div className="border-t border-hair pt-4">
          <Lines order={order} />
        </div>
        {isVisit ? null : <ReceiptActions order={order} />}
      </Card>
      {isVisit ? null : <RefundSection order={order} />}
    </div>
  )
}

function Title({ order }: { order: Order }) {
  if (isFullyRefunded(order)) {
    return (
      <div className="grid gap-1.5">
        <h1>{receiptTexts.back}</h1>
        <p className="text-soft">{receiptTexts.backText}</p>
      </div>
    )
  }
  const count = ownedItemsOf(order).length
  if (count === 0 || !isNews(order)) {
    return <h1>{sharedTexts.order(order.order_number)}</h1>
  }
  return (
    <div role="status" className="grid gap-1.5 print:hidden">
      <h1>{count > 1 ? texts.paidManyTitle : texts.paidTitle}</h1>
      <p className="wrap-anywhere text-soft">{texts.paidText(order.user.email)}</p>
    </div>
  )
}

const OwnedItem = ({ id, children }: { id: string; children: ReactNode }) => (
  <Card className="grid gap-5 print:hidden">
    <div className="flex flex-wrap items-center justify-between gap-4">
      <EmojiId id={id} size="large" />
      <span className="flex flex-wrap gap-2">
        <Link to="/account/ids/$id" params={{ id }} className={buttonLook('second')}>
          {receiptTexts.manage}
          <span className="sr-only">: {spokenNames(id)}</span>
        </Link>
        <a href={`/${encodeURIComponent(id)}`} className={buttonLook('second')}>
          {texts.page}
          <span className="sr-only">: {spokenNames(id)}</span>
        </a>
      </span>
    </div>
    {children}
  </Card>
)

const Box = ({ id }: { id: string }) => (
  <Card className="grid justify-items-start gap-4 print:hidden">
    <div className="grid gap-1.5">
      <h2>{receiptTexts.boxTitle}</h2>
      <p className="text-soft">{receiptTexts.boxText}</p>
    </div>
    <Link to="/account/lootboxes/$id" params={{ id }} className={buttonLook()}>
      {receiptTexts.boxOpen}
    </Link>
  </Card>
)

/** The sums of an order and other receipt lines. */
function Lines({ order }: { order: Order }) {
  const goods = buyableOf(order)
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
  const price = sum(goods.map(({ unit_price_in_cents }) => unit_price_in_cents))
  const fees = sum(goods.map(feesOf))
  const refundedTotal = order.refunded_total_in_cents + order.misc_refunded_total_in_cents
  const lines: [string, number][] = [
    [sharedTexts.sums.price, price],
    [sharedTexts.sums.fees, fees],
    [sharedTexts.sums.discount, order.total_in_cents - price - fees],
    [sharedTexts.sums.total, order.total_in_cents],
    [texts.refunded, -refundedTotal],
  ]
  const isShown = ([name, cents]: [string, number]) =>
    cents !== 0 || name === sharedTexts.sums.price || name === sharedTexts.sums.total
  const buyerName = order.user.email ?? order.user.alternate_id
  return (
    <dl className="grid gap-2">
      <Line name={texts.number}>
        <span className="font-mono">{order.order_number}</span>
      </Line>
      {buyerName ? <Line name={receiptTexts.buyer}>{buyerName}</Line> : null}
      {order.paid_at ? (
        <Line name={texts.paidAt}>
          <When at={order.paid_at} isExact />
        </Line>
      ) : null}
      <Line name={receiptTexts.state}>
        <OrderState order={order} />
      </Line>
      {lines.filter(isShown).map(([name, cents]) => (
        <Line key={name} name={name} isTotal={name === sharedTexts.sums.total}>
          <Money cents={cents} />
        </Line>
      ))}
    </dl>
  )
}

type LineProps = { name: string; isTotal?: boolean; children: ReactNode }

const Line = ({ name, isTotal = false, children }: LineProps) => (
  <div
    className={`flex flex-wrap items-baseline justify-between gap-x-6 ${isTotal ? 'text-lg font-bold' : ''}`}
  >
    <dt className={isTotal ? '' : 'text-soft'}>{name}</dt>
    <dd className="ml-auto text-right wrap-anywhere">{children}</dd>
  </div>
)

/** Prints or resends the receipt. */
function ReceiptActions({ order }: { order: Order }) {
  const resend = useAction({ mutationFn: () => resendReceipt(order.id) })
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap gap-3">
        <Button look="second" onClick={() => window.print()}>
          {receiptTexts.print}
        </Button>
        {order.user.email ? (
          <Button look="second" isBusy={resend.isPending} onClick={() => resend.mutate()}>
            {receiptTexts.resend}
          </Button>
        ) : null}
        <Link to="/account/orders" className={buttonLook('quiet')}>
          {receiptTexts.all}
        </Link>
      </div>
      {resend.isSuccess ? <Notice>{receiptTexts.resent}</Notice> : null}
      <ErrorOf thrown={resend.error} />
    </div>
  )
}
