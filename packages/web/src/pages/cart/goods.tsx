import type { ReactNode } from 'react'
import { discountOf, feesOf, goodsOf, type Item, type Order } from '../../api/shop.ts'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Money } from '../../design/money.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { texts } from './texts.ts'

type Props = { order: Order; action?: (item: Item) => ReactNode }

/** The items of an order with prices and actions. */
export const Goods = ({ order, action }: Props) => (
  <ul className="grid divide-y divide-hair">
    {goodsOf(order).map((item) => (
      <li key={item.id} className="grid gap-2 py-4 first:pt-0 last:pb-0">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          {item.emoji_id ? <EmojiId id={item.emoji_id} /> : <span>{sharedTexts.box}</span>}
          <div className="-mr-3 ml-auto flex flex-col items-end gap-x-4 sm:flex-row sm:items-center">
            <Price item={item} order={order} />
            {action?.(item)}
          </div>
        </div>
        {item.marked_invalid_at_reason ? (
          <p className="rounded-field bg-wrong-ground px-3 py-2 text-sm font-medium text-wrong">
            {texts.marks[item.marked_invalid_at_reason]}
          </p>
        ) : null}
      </li>
    ))}
  </ul>
)

function Price({ item, order }: { item: Item; order: Order }) {
  const [fees, discount] = [feesOf(item), discountOf(item, order)]
  const isGone = Boolean(item.marked_invalid_at_reason)
  return (
    <p className="pr-3 text-right">
      <span className="sr-only">{sharedTexts.sums.price} </span>
      <span className={`text-lg font-semibold ${isGone ? 'line-through' : ''}`}>
        <Money cents={item.unit_price_in_cents} />
      </span>
      {fees > 0 ? (
        <span className="block text-sm text-soft">
          + <Money cents={fees} /> {sharedTexts.sums.fees}
        </span>
      ) : null}
      {discount > 0 ? (
        <span className="block text-sm text-good">
          <Money cents={-discount} /> {sharedTexts.sums.discount}
        </span>
      ) : null}
    </p>
  )
}

export const Total = ({ order }: { order: Order }) => (
  <dl className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-hair pt-4 text-xl font-bold">
    <dt>{sharedTexts.sums.total}</dt>
    <dd>
      <Money cents={order.total_in_cents} />
    </dd>
  </dl>
)
