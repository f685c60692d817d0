import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import type { AdminOrder } from '../../../api/admin-orders.ts'
import { isRefundPending } from '../../../api/shop.ts'
import { AskButton } from '../parts/ask-button.tsx'
import { type Books, orderActions } from './queries.ts'
import { RefundAmount } from './refund-amount.tsx'
import { RefundItems } from './refund-items.tsx'
import { remainingMoneyOf } from './refundable.ts'
import { TakeCash } from './take-cash.tsx'
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
