import type { ReactNode } from 'react'
import { feesOf, goodsOf, type Order } from '../../api/shop.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId, spokenNames } from '../../design/emoji-id.tsx'
import { Card } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { useVisit } from '../../design/use-visit.ts'
import { texts } from '../../texts/en.ts'
import { PartnerStep } from '../partner/after-receipt.tsx'
import { AddressForm } from './address-form.tsx'

const whole = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' })

export function Receipt({ order }: { order: Order }) {
  const goods = goodsOf(order)
  const ids = goods.flatMap(({ emoji_id, refunded_quantity }) =>
    emoji_id && refunded_quantity === 0 ? emoji_id : [],
  )
  const isVisit = useVisit()?.flow === 'create'
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <div role="status" className="grid gap-1.5">
        <h1>{goods.length > 1 ? texts.order.paidManyTitle : texts.order.paidTitle}</h1>
        <p className="wrap-anywhere text-soft">{texts.order.paidText(order.user.email)}</p>
      </div>
      {ids.map((id) => (
        <Owned key={id} id={id}>
          {isVisit ? <PartnerStep id={id} /> : <AddressForm id={id} />}
        </Owned>
      ))}
      <Card className="grid gap-4">
        <h2>{texts.order.receipt}</h2>
        <Lines order={order} />
      </Card>
    </div>
  )
}

const Owned = ({ id, children }: { id: string; children: ReactNode }) => (
  <Card className="grid gap-5">
    <div className="flex flex-wrap items-center justify-between gap-4">
      <EmojiId id={id} size="large" />
      <a href={`/${encodeURIComponent(id)}`} className={buttonLook('second')}>
        {texts.order.page}
        <span className="sr-only">: {spokenNames(id)}</span>
      </a>
    </div>
    {children}
  </Card>
)

function Lines({ order }: { order: Order }) {
  const goods = goodsOf(order)
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
  const price = sum(goods.map(({ unit_price_in_cents }) => unit_price_in_cents))
  const fees = sum(goods.map(feesOf))
  const lines: [string, number][] = [
    [texts.cart.price, price],
    [texts.cart.fees, fees],
    [texts.cart.discount, order.total_in_cents - price - fees],
    [texts.cart.total, order.total_in_cents],
    [texts.order.refunded, -order.refunded_total_in_cents],
  ]
  const isShown = ([name, cents]: [string, number]) =>
    cents !== 0 || name === texts.cart.price || name === texts.cart.total
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
      <dt className="text-soft">{texts.order.number}</dt>
      <dd className="text-right font-mono">{order.order_number}</dd>
      <dt className="text-soft">{texts.order.paidAt}</dt>
      <dd className="text-right">{order.paid_at ? whole.format(new Date(order.paid_at)) : ''}</dd>
      {lines.filter(isShown).map(([name, cents]) => (
        <Line key={name} name={name} cents={cents} isTotal={name === texts.cart.total} />
      ))}
    </dl>
  )
}

type LineProps = { name: string; cents: number; isTotal: boolean }

const Line = ({ name, cents, isTotal }: LineProps) => (
  <>
    <dt className={isTotal ? 'font-bold' : 'text-soft'}>{name}</dt>
    <dd className={`text-right ${isTotal ? 'font-bold' : ''}`}>
      <Money cents={cents} />
    </dd>
  </>
)
