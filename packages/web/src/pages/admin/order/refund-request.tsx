import type { AdminOrder } from '../../../api/admin-orders.ts'
import { When } from '../../../design/date.tsx'
import { adminTexts } from '../../../texts/en-admin.ts'
import { Panel } from '../parts/panel.tsx'
import { refundedAt } from './left.ts'

const { request: texts } = adminTexts.order

/** What the buyer wrote, and what became of it. */
export function RefundRequest({ order }: { order: AdminOrder }) {
  const { refund_requested_at: asked_at, refund_request, eligible_for_refund } = order
  if (!asked_at) return null
  const done = refundedAt(order)
  return (
    <Panel title={done ? texts.titleDone : texts.title}>
      <blockquote className="border-l-4 border-main pl-4 wrap-anywhere whitespace-pre-line">
        {refund_request}
      </blockquote>
      <p className="text-soft">
        {texts.asked} <When at={asked_at} isExact />.{' '}
        {done ? (
          <>
            {texts.refunded} <When at={done} isExact />.
          </>
        ) : eligible_for_refund ? (
          ''
        ) : (
          texts.late
        )}
      </p>
    </Panel>
  )
}
