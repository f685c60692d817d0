import { textLengths } from '@emojid/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { goodsOf, isRefundPending, type Order, orderQuery } from '../../api/shop.ts'
import { Badge } from '../../design/badge.tsx'
import { Button, buttonLook } from '../../design/button.tsx'
import { When } from '../../design/date.tsx'
import { ConfirmDialog } from '../../design/dialog.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { TextArea } from '../../design/field.tsx'
import { Money } from '../../design/money.tsx'
import { useAction } from '../../design/use-action.ts'
import { language } from '../../language.ts'
import { dayMs } from '../../time.ts'
import { texts as sharedTexts } from '../texts.ts'
import { loadClaims, refundsQuery, requestRefund } from './queries.ts'
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
        {...textLengths.refundReason}
        onInput={({ currentTarget: area }) =>
          area.setCustomValidity(area.value.trim() === '' ? texts.whyShort : '')
        }
      />
    </ConfirmDialog>
  )
}

const nameOf = (status: string, isClaimed: boolean): string =>
  isClaimed ? texts.toClaim : texts.states[status as keyof typeof texts.states]

const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })

/** The refunds, with claim links for cryptocurrency payments. */
function Refunds({ order_id }: { order_id: string }) {
  const { data: refunds, error } = useQuery({
    ...refundsQuery(order_id),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'queued') ? 5_000 : false,
  })
  if (error) return <ErrorOf thrown={error} />
  if (!refunds || refunds.length === 0) return null
  return (
    <div className="grid gap-3">
      <h3 className="font-semibold">{texts.refunds}</h3>
      <ul className="grid divide-y divide-hair">
        {refunds.map(
          ({ id, amount_in_cents, status, created_at, done_at, paid_out_at, ...one }) => {
            // A paid refund needs no address any more.
            const isOpenClaim = one.has_claim && !paid_out_at
            const claim_url = isOpenClaim ? one.claim_url : null
            return (
              <li key={id} className="grid gap-3 py-3 first:pt-0 last:pb-0">
                <p className="flex flex-wrap items-center justify-between gap-3">
                  <span className="text-lg font-semibold">
                    <Money cents={amount_in_cents} />
                  </span>
                  <span className="flex flex-wrap items-center gap-3 text-sm text-soft">
                    <When at={paid_out_at ?? done_at ?? created_at} />
                    <Badge tone={status === 'done' ? 'good' : 'plain'}>
                      {nameOf(status, isOpenClaim && !one.claim_from)}
                    </Badge>
                  </span>
                </p>
                {claim_url ? (
                  <div className="grid justify-items-start gap-2 print:hidden">
                    <p className="text-sm text-soft">{texts.claimText}</p>
                    <a href={claim_url} target="_blank" rel="noreferrer" className={buttonLook()}>
                      {texts.claim}
                    </a>
                  </div>
                ) : null}
                {isOpenClaim && one.claim_from ? (
                  <p className="text-sm text-soft">
                    {texts.claimFrom(moment.format(new Date(one.claim_from)))}
                  </p>
                ) : null}
                {isOpenClaim && !claim_url && !one.claim_from ? (
                  <ShowClaims order_id={order_id} />
                ) : null}
              </li>
            )
          },
        )}
      </ul>
    </div>
  )
}

/** The service shows a claim link only after a fresh proof. */
function ShowClaims({ order_id }: { order_id: string }) {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useAction({
    mutationFn: () => loadClaims(order_id),
    onSuccess: (refunds) => queries.setQueryData(refundsQuery(order_id).queryKey, refunds),
  })
  return (
    <div className="grid justify-items-start gap-2 print:hidden">
      <Button look="second" isBusy={isPending} onClick={() => mutate()}>
        {texts.showClaim}
      </Button>
      {error ? <ErrorOf thrown={error} /> : null}
    </div>
  )
}
