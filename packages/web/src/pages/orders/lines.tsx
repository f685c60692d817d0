import type { ReactNode } from 'react'
import { buyableOf, feesOf, type Order } from '../../api/shop.ts'
import { When } from '../../design/date.tsx'
import { Money } from '../../design/money.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { OrderState } from './state.tsx'
import { receiptTexts, texts } from './texts.ts'

/** The sums of an order and other receipt lines. */
export function Lines({ order }: { order: Order }) {
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
