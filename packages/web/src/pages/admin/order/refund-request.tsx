import type { AdminOrder } from '../../../api/admin-orders.ts'
import { isRefundPending } from '../../../api/shop.ts'
import { When } from '../../../design/date.tsx'
import { Panel } from '../parts/panel.tsx'
import { texts as pageTexts } from './texts.ts'

const { request: texts } = pageTexts

/** The buyer's refund request and its outcome. */
export function RefundRequest({ order }: { order: AdminOrder }) {
  const { refund_requested_at: asked_at, refund_request, eligible_for_refund } = order
  const { refund_answered_at: answered_at, refund_declined } = order
  if (!asked_at) return null
  return (
    <Panel title={isRefundPending(order) ? texts.title : texts.titleDone}>
      <Quote>{refund_request}</Quote>
      <p className="text-soft">
        {texts.asked} <When at={asked_at} isExact />.{' '}
        {answered_at ? (
          <>
            {refund_declined === null ? texts.refunded : texts.declined}{' '}
            <When at={answered_at} isExact />.
          </>
        ) : eligible_for_refund ? (
          ''
        ) : (
          texts.late
        )}
      </p>
      {refund_declined === null ? null : <Quote>{refund_declined}</Quote>}
    </Panel>
  )
}

const Quote = ({ children }: { children: string | null | undefined }) => (
  <blockquote className="border-l-4 border-main pl-4 wrap-anywhere whitespace-pre-line">
    {children}
  </blockquote>
)
