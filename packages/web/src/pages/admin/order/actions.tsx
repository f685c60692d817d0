import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import type { AdminOrder } from '../../../api/admin.ts'
import { isRefundPending } from '../../../api/shop.ts'
import { Checkbox } from '../../../design/choice.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Alert } from '../../../design/feedback.tsx'
import { Field } from '../../../design/field.tsx'
import { Money, moneyText } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { type Books, orderActions } from './queries.ts'
import { texts } from './texts.ts'

/** The actions that the state of the order allows. */
export function OrderActions({ order, books }: { order: AdminOrder; books: Books }) {
  const { takeAsPaid, decline, resend } = orderActions(order.id)
  const rest = remainingMoneyOf(books)
  const { data: account } = useQuery(accountQuery)
  const isOwn = account?.user.id === order.user.id
  if (order.status === 'Draft') {
    return order.order_items.length > 0 ? (
      <div className="flex flex-wrap gap-3">
        <TakeCash order={order} />
      </div>
    ) : null
  }
  if (order.status === 'PendingPayment') {
    return (
      <div className="flex flex-wrap gap-3">
        <TakeCash order={order} />
        {isOwn ? (
          <p className="w-full text-sm text-soft">{texts.own}</p>
        ) : (
          <AskButton
            {...texts.override}
            isDangerous
            asksReason
            run={(reason, key) => takeAsPaid(key, reason)}
          />
        )}
      </div>
    )
  }
  if (order.status !== 'Paid') return null
  const obstacle = isOwn ? texts.own : order.dispute?.frozen ? texts.disputedNow : undefined
  return (
    <div className="flex flex-wrap gap-3">
      {obstacle ? <p className="w-full text-sm text-soft">{obstacle}</p> : null}
      {obstacle ? null : <RefundItems order={order} books={books} />}
      {rest > 0 && !obstacle ? <RefundAmount id={order.id} rest={rest} /> : null}
      {isRefundPending(order) && !isOwn ? (
        <AskButton
          {...texts.decline}
          isDangerous
          asksReason
          run={(reason, key) => decline(key, reason)}
        />
      ) : null}
      {order.user.email ? (
        <AskButton
          {...texts.resend}
          text={texts.resend.text(order.user.email)}
          run={(_, key) => resend(key)}
        />
      ) : null}
    </div>
  )
}

const cashTexts = texts.cash

/** Records cash that an operator received. */
function TakeCash({ order }: { order: AdminOrder }) {
  const due = order.remaining_due_in_cents
  const [amount, setAmount] = useState('')
  const [reference, setReference] = useState('')
  if (due === 0) return null
  return (
    <AskButton
      {...cashTexts}
      onOpen={() => {
        setAmount((due / 100).toFixed(2))
        setReference('')
      }}
      sends={[amount, reference]}
      run={(_, key) =>
        orderActions(order.id).takeCash(key, Math.round(Number(amount) * 100), reference.trim())
      }
    >
      <Field
        label={cashTexts.amount}
        hint={cashTexts.amountHint(moneyText(due))}
        type="number"
        inputMode="decimal"
        required
        min="0.01"
        step="0.01"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
      <Field
        label={cashTexts.reference}
        hint={cashTexts.referenceHint}
        required
        pattern=".*\S.*"
        {...textLengths.cashReference}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </AskButton>
  )
}

const miscTexts = texts.misc

/** Refunds an amount without taking items back. */
function RefundAmount({ id, rest }: { id: string; rest: number }) {
  const [amount, setAmount] = useState('')
  return (
    <AskButton
      {...miscTexts}
      isDangerous
      asksReason
      onOpen={() => setAmount('')}
      sends={amount}
      run={(reason, key) =>
        orderActions(id).refundMisc(key, {
          reason,
          amount_in_cents: Math.round(Number(amount) * 100),
        })
      }
    >
      <Field
        label={miscTexts.amount}
        hint={miscTexts.amountHint(moneyText(rest))}
        type="number"
        inputMode="decimal"
        required
        min="0.01"
        max={rest / 100}
        step="0.01"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
    </AskButton>
  )
}

const { refund: refundTexts, items: itemTexts } = texts

/** Refunds some or all items of an order. */
function RefundItems({ order, books }: { order: AdminOrder; books: Books }) {
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
      {...refundTexts}
      look="danger"
      isDangerous
      asksReason
      onOpen={() => {
        setChosenIds(items.filter(isRefundable).map(({ id }) => id))
        setOverride(false)
      }}
      run={run}
      sends={[chosenIds, override]}
      done={isMoneyBack ? refundTexts.done : refundTexts.doneWithoutMoney}
    >
      <fieldset className="grid min-w-0 gap-1">
        <legend className="font-semibold">{refundTexts.items}</legend>
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
        {chosenIds.length === 0 ? <Alert>{refundTexts.choose}</Alert> : null}
      </fieldset>
      <Checkbox
        label={refundTexts.override}
        hint={refundTexts.overrideHint}
        checked={override}
        onChange={({ currentTarget }) => setOverride(currentTarget.checked)}
      />
      <RefundSum sum={sum} books={books} />
    </AskButton>
  )
}

/** The refund for items of this price: at most the money left of what was received. */
function RefundSum({ sum, books }: { sum: number; books: Books }) {
  const rest = remainingMoneyOf(books)
  if (sum > 0 && rest <= 0) {
    return (
      <p className="font-semibold">
        {hasReceivedMoney(books) ? refundTexts.noneLeft : refundTexts.noneCame}
      </p>
    )
  }
  return (
    <div>
      <p className="flex justify-between gap-4 font-semibold">
        {refundTexts.sum}
        <Money cents={Math.min(sum, rest)} />
      </p>
      {sum > rest ? (
        <p className="text-sm text-soft">{refundTexts.partLeft(moneyText(sum))}</p>
      ) : null}
    </div>
  )
}

/** The received money that can still be refunded. */
const remainingMoneyOf = ({ entries }: Books): number =>
  entries
    .filter(({ kind }) => kind !== 'override' && kind !== 'write_off')
    .reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)

/** Whether money was received; an operator may mark an order as paid without any. */
const hasReceivedMoney = ({ entries }: Books): boolean =>
  entries.some(({ kind }) => kind === 'payment' || kind === 'cash')

type Item = AdminOrder['order_items'][number]

/** The items that can be refunded at all. */
const refundableOf = ({ order_items }: AdminOrder): Item[] =>
  order_items.filter(
    ({ item_type, refunded_quantity }) => item_type !== 'Discount' && refunded_quantity === 0,
  )

/** Whether the rules allow a refund; an item without payment can be taken back, too. */
const isRefundable = ({ refund_obstacle }: Item): boolean =>
  !refund_obstacle || refund_obstacle === 'no_money'

/** The price of an item after discounts. */
const pricePaidFor = (item: Item, { order_items }: AdminOrder): number =>
  [item, ...order_items.filter(({ parent_id }) => parent_id === item.id)].reduce(
    (sum, one) =>
      sum + one.unit_price_in_cents + one.client_fee_in_cents + one.company_fee_in_cents,
    0,
  )
