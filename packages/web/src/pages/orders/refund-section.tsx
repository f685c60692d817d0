import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { goodsOf, isRefundPending, type Order, orderQuery } from '../../api/shop.ts'
import { Button } from '../../design/button.tsx'
import { ConfirmDialog } from '../../design/confirm-dialog.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, Notice } from '../../design/feedback.tsx'
import { TextArea } from '../../design/text-area.tsx'
import { language } from '../../language.ts'
import { dayMs } from '../../time.ts'
import { texts as sharedTexts } from '../texts.ts'
import { requestRefund } from './queries.ts'
import { Refunds } from './refunds.tsx'
import { isFullyRefunded } from './state.tsx'
import { refundTexts as texts } from './texts.ts'

const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' })
const refundDays = 14

const dayOf = (at: string | null): string => (at === null ? '' : day.format(new Date(at)))
const lastDayOf = ({ paid_at }: Order): Date =>
  new Date(new Date(paid_at ?? '').getTime() + refundDays * dayMs)

const isClaimable = (order: Order): boolean =>
  order.status === 'Paid' && !order.dispute?.frozen && !isFullyRefunded(order)

/** The refund section of an order. */
export const RefundSection = ({ order }: { order: Order }) => (
  <Card className="grid gap-4 print:hidden">
    <h2>{texts.title}</h2>
    {order.dispute?.frozen ? <Alert>{texts.disputed}</Alert> : null}
    {order.dispute?.status === 'lost' && !order.dispute.frozen ? <p>{texts.disputeLost}</p> : null}
    {isClaimable(order) ? <RefundClaim order={order} /> : null}
    <Refunds order_id={order.id} />
  </Card>
)

function RefundClaim({ order }: { order: Order }) {
  const [isSent, setSent] = useState(false)
  if (isRefundPending(order)) {
    return (
      <div className="grid gap-2">
        {isSent ? <Notice>{texts.sent}</Notice> : null}
        <PendingRequest order={order} />
        <p className="text-soft">{texts.askedText}</p>
      </div>
    )
  }
  return (
    <>
      {order.refund_declined === null ? null : <DeclinedRequest order={order} />}
      {order.eligible_for_refund ? (
        <RequestButton order={order} onSent={() => setSent(true)} />
      ) : (
        <ExpiredPeriod order={order} />
      )}
    </>
  )
}

const PendingRequest = ({ order }: { order: Order }) => (
  <p className="font-medium">{texts.asked(dayOf(order.refund_requested_at))}</p>
)

const DeclinedRequest = ({ order }: { order: Order }) => (
  <div className="grid gap-2">
    <PendingRequest order={order} />
    <p>{texts.declined(dayOf(order.refund_answered_at))}</p>
    <blockquote className="border-l-4 border-main pl-4 wrap-anywhere whitespace-pre-line">
      {order.refund_declined}
    </blockquote>
    {order.eligible_for_refund ? <p className="text-soft">{texts.again}</p> : null}
  </div>
)

function ExpiredPeriod({ order }: { order: Order }) {
  const last = lastDayOf(order)
  return (
    <p className="text-soft">{last < new Date() ? texts.late(day.format(last)) : texts.cannot}</p>
  )
}

function RequestButton({ order, onSent }: { order: Order; onSent: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="grid gap-4 print:hidden">
      <p>{texts.may(day.format(lastDayOf(order)))}</p>
      <Rules />
      <ExcludedItems order={order} />
      <div>
        <Button look="second" onClick={() => setAsking(true)}>
          {order.refund_declined === null ? texts.ask : texts.askAgain}
        </Button>
      </div>
      {isAsking ? (
        <Question order={order} onSent={onSent} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  )
}

/** The items that cannot be refunded. */
function ExcludedItems({ order }: { order: Order }) {
  const items = goodsOf(order).filter(({ refund_obstacle }) => refund_obstacle)
  if (items.length === 0) return null
  return (
    <>
      <h3 className="font-semibold">{texts.excluded}</h3>
      <ul className="grid gap-2 text-soft">
        {items.map(({ id, emoji_id, refund_obstacle }) => (
          <li key={id} className="flex flex-wrap items-center gap-3">
            {emoji_id ? <EmojiId id={emoji_id} size="small" /> : sharedTexts.box}
            {refund_obstacle ? texts.obstacles[refund_obstacle] : null}
          </li>
        ))}
      </ul>
    </>
  )
}

const Rules = () => (
  <>
    <ul className="grid list-disc gap-1 pl-5 text-soft">
      {texts.rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
    <h3 className="font-semibold">{texts.next}</h3>
    <ol className="grid list-decimal gap-1 pl-5 text-soft">
      {texts.steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  </>
)

type QuestionProps = { order: Order; onSent: () => void; onClose: () => void }

function Question({ order, onSent, onClose }: QuestionProps) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={texts.askTitle}
      text={texts.askText}
      action={texts.send}
      run={(reason) => requestRefund(order.id, reason)}
      onDone={(updatedOrder) => {
        onSent()
        queries.setQueryData(orderQuery(order.id).queryKey, updatedOrder)
      }}
      onClose={onClose}
    >
      <TextArea
        label={texts.why}
        hint={texts.whyHint}
        name="reason"
        required
        maxLength={1_000}
        onInput={({ currentTarget: area }) =>
          area.setCustomValidity(area.value.trim() === '' ? texts.whyShort : '')
        }
      />
    </ConfirmDialog>
  )
}
