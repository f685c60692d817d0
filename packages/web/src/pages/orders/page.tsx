import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { cartQuery, type Order, orderQuery } from '../../api/shop.ts'
import { buttonLook } from '../../design/button.tsx'
import { Card } from '../../design/feedback.tsx'
import { DetailFallback } from '../../design/section.tsx'
import { SignedInOnly } from '../../design/signed-in-only.tsx'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { Receipt } from './receipt.tsx'
import { RefundSection } from './refund-section.tsx'
import { receiptTexts, texts } from './texts.ts'

export function OrderPage() {
  useTitle(texts.title)
  return (
    <SignedInOnly title={texts.title}>
      <OrderView />
    </SignedInOnly>
  )
}

/** The poll interval: short at first, then longer. */
const askAgainMs = (times: number): number => (times < 15 ? 2_000 : times < 50 ? 5_000 : 15_000)

function OrderView() {
  const { id } = useParams({ from: '/orders/$id' })
  const queries = useQueryClient()
  const { data: order, error } = useQuery({
    ...orderQuery(id),
    refetchInterval: ({ state }) =>
      state.data?.status === 'PendingPayment' && askAgainMs(state.dataUpdateCount),
  })
  const status = order?.status
  useEffect(() => {
    // The cart is empty after the payment.
    if (status === 'Paid') queries.invalidateQueries(cartQuery)
  }, [status, queries])
  if (!order) {
    const orders = (
      <Link to="/account/orders" className={buttonLook()}>
        {receiptTexts.all}
      </Link>
    )
    return <DetailFallback error={error} title={texts.title} text={texts.unknown} back={orders} />
  }
  if (order.status === 'Paid') return <Receipt order={order} />
  if (order.status === 'PendingPayment') {
    const isSeen = order.payment_under_way
    return order.payment_method_data || isSeen ? (
      <PendingOrder isSeen={isSeen} />
    ) : (
      <UnpaidOrder reason={order.payment_close_reason} />
    )
  }
  return <UnboughtOrder order={order} />
}

function UnboughtOrder({ order }: { order: Order }) {
  const isDraft = order.status === 'Draft'
  const isBarred = order.payment_close_reason === 'barred_card'
  const cancelled = isBarred ? texts.barredText : texts.cancelledText
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-5">
      <Card className="grid justify-items-start gap-4">
        <div role="alert" className="grid gap-3">
          <h1>{isDraft ? texts.draftTitle : texts.cancelledTitle}</h1>
          <p className="text-soft">{isDraft ? texts.draftText : cancelled}</p>
        </div>
        <Link to="/cart" className={buttonLook()}>
          {sharedTexts.toCart}
        </Link>
      </Card>
      {isDraft ? null : <RefundSection order={order} />}
    </div>
  )
}

/** No payment is pending: the card was declined, not confirmed or not accepted. */
const UnpaidOrder = ({ reason }: { reason: Order['payment_close_reason'] }) => (
  <Card className="mx-auto grid w-full max-w-2xl justify-items-start gap-4">
    <div role="alert" className="grid gap-3">
      <h1>{texts.unpaidTitle}</h1>
      <p className="text-soft">{reason ? texts.closeReasons[reason] : texts.unpaidText}</p>
    </div>
    <Link to="/checkout" className={buttonLook()}>
      {texts.backToPay}
    </Link>
  </Card>
)

const PendingOrder = ({ isSeen }: { isSeen: boolean }) => (
  <Card className="mx-auto grid w-full max-w-2xl justify-items-start gap-2">
    <h1>{texts.title}</h1>
    <Waiting text={isSeen ? sharedTexts.waitingForMoney : texts.waiting} />
    <p className="text-soft">{isSeen ? texts.seenText : texts.waitingText}</p>
    <Link to="/checkout" className={buttonLook('quiet')}>
      {isSeen ? texts.toCheckout : texts.backToPay}
    </Link>
  </Card>
)
