import { useState } from 'react'
import type { AdminOrder } from '../../../api/admin-orders.ts'
import { Checkbox } from '../../../design/choice.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Alert } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { type Books, orderActions } from './queries.ts'
import { RefundSum } from './refund-sum.tsx'
import { isRefundable, pricePaidFor, refundableOf, remainingMoneyOf } from './refundable.ts'
import { texts as pageTexts } from './texts.ts'

const { refund: texts, items: itemTexts } = pageTexts

/** Refunds some or all items of an order. */
export function RefundItems({ order, books }: { order: AdminOrder; books: Books }) {
  const items = refundableOf(order)
  const [chosenIds, setChosenIds] = useState<readonly string[]>([])
  const [override, setOverride] = useState(false)
  if (items.length === 0) return null
  const sum = items
    .filter(({ id }) => chosenIds.includes(id))
    .reduce((cents, item) => cents + pricePaidFor(item, order), 0)
  const isMoneyBack = Math.min(sum, remainingMoneyOf(books)) > 0
  const run = async (reason: string, key: string) =>
    orderActions(order.id).refund(key, {
      reason,
      item_ids: [...chosenIds],
      ...(override ? { override } : {}),
    })
  return (
    <AskButton
      {...texts}
      look="danger"
      isDangerous
      asksReason
      onOpen={() => {
        setChosenIds(items.filter(isRefundable).map(({ id }) => id))
        setOverride(false)
      }}
      run={run}
      sends={[chosenIds, override]}
      done={isMoneyBack ? texts.done : texts.doneWithoutMoney}
    >
      <fieldset className="grid min-w-0 gap-1">
        <legend className="font-semibold">{texts.items}</legend>
        {items.map((item) => (
          <label key={item.id} className="flex min-h-11 items-center gap-3 py-1 font-medium">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-main"
              required={chosenIds.length === 0}
              checked={chosenIds.includes(item.id)}
              onChange={({ currentTarget }) =>
                setChosenIds(
                  currentTarget.checked
                    ? [...chosenIds, item.id]
                    : chosenIds.filter((one) => one !== item.id),
                )
              }
            />
            <span className="grid justify-items-start gap-1">
              {item.emoji_id ? <EmojiId id={item.emoji_id} size="small" /> : itemTexts.box}
              {item.refund_obstacle && !isRefundable(item) ? (
                <span className="text-sm text-soft">
                  {itemTexts.obstacles[item.refund_obstacle]}
                </span>
              ) : null}
            </span>
            <span className="ml-auto text-soft">
              <Money cents={pricePaidFor(item, order)} />
            </span>
          </label>
        ))}
        {chosenIds.length === 0 ? <Alert>{texts.choose}</Alert> : null}
      </fieldset>
      <Checkbox
        label={texts.override}
        hint={texts.overrideHint}
        checked={override}
        onChange={({ currentTarget }) => setOverride(currentTarget.checked)}
      />
      <RefundSum sum={sum} books={books} />
    </AskButton>
  )
}
