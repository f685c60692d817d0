import type { ReactNode } from 'react'
import { buyableOf, feesOf, type Order } from '../../api/shop.ts'
import { When } from '../../design/date.tsx'
import { Money } from '../../design/money.tsx'
import { texts } from '../../texts/en.ts'
import { accountTexts } from '../../texts/en-account.ts'
import { orderTexts } from '../../texts/order.ts'
import { OrderState } from './state.tsx'

/** The sums of an order, and what else a receipt needs. */
export function Lines({ order }: { order: Order }) {
  const goods = buyableOf(order)
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
  const price = sum(goods.map(({ unit_price_in_cents }) => unit_price_in_cents))
  const fees = sum(goods.map(feesOf))
  const back = order.refunded_total_in_cents + order.misc_refunded_total_in_cents
  const lines: [string, number][] = [
    [texts.cart.price, price],
    [texts.cart.fees, fees],
    [texts.cart.discount, order.total_in_cents - price - fees],
    [texts.cart.total, order.total_in_cents],
    [orderTexts.refunded, -back],
  ]
  const isShown = ([name, cents]: [string, number]) =>
    cents !== 0 || name === texts.cart.price || name === texts.cart.total
  const who = order.user.email ?? order.user.alternate_id
  return (
    <dl className="grid gap-2">
      <Line name={orderTexts.number}>
        <span className="font-mono">{order.order_number}</span>
      </Line>
      {who ? <Line name={accountTexts.receipt.buyer}>{who}</Line> : null}
      {order.paid_at ? (
        <Line name={orderTexts.paidAt}>
          <When at={order.paid_at} isExact />
        </Line>
      ) : null}
      <Line name={accountTexts.receipt.state}>
        <OrderState order={order} />
      </Line>
      {lines.filter(isShown).map(([name, cents]) => (
        <Line key={name} name={name} isTotal={name === texts.cart.total}>
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
