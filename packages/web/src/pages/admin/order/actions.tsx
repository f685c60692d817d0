import { type AdminOrder, type Books, orderActions } from '../../../api/admin-orders.ts'
import { isRefundAsked } from '../../../api/shop.ts'
import { adminTexts } from '../../../texts/en-admin.ts'
import { AskButton } from '../parts/ask-button.tsx'
import { GiveSomeBack } from './give-some-back.tsx'
import { leftOf } from './left.ts'
import { RefundItems } from './refund-items.tsx'
import { TakeCash } from './take-cash.tsx'

const texts = adminTexts.order

/** What can be done about the money, as the order stands. */
export function OrderActions({ order, books }: { order: AdminOrder; books: Books }) {
  const { takeAsPaid, decline, resend } = orderActions(order.id)
  const left = leftOf(books)
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
        <AskButton
          {...texts.override}
          isDangerous
          asksReason
          run={(reason, key) => takeAsPaid(key, reason)}
        />
      </div>
    )
  }
  if (order.status !== 'Paid') return null
  return (
    <div className="flex flex-wrap gap-3">
      <RefundItems order={order} books={books} />
      {left > 0 ? <GiveSomeBack id={order.id} left={left} /> : null}
      {isRefundAsked(order) ? (
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
