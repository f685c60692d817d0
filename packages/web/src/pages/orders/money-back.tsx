import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { requestRefund } from '../../api/orders.ts'
import { type Order, orderQuery } from '../../api/shop.ts'
import { Button } from '../../design/button.tsx'
import { ConfirmDialog } from '../../design/confirm-dialog.tsx'
import { Card, Notice } from '../../design/feedback.tsx'
import { TextArea } from '../../design/text-area.tsx'
import { accountTexts } from '../../texts/en-account.ts'
import { Refunds } from './refunds.tsx'
import { isAllBack } from './state.tsx'

const texts = accountTexts.moneyBack
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
const refundDays = 14

const lastDayOf = ({ paid_at }: Order): Date =>
  new Date(new Date(paid_at ?? '').getTime() + refundDays * 86_400_000)

/** Whether an order can be given back, what happens then, and where the money is. */
export const MoneyBack = ({ order }: { order: Order }) => (
  <Card className="grid gap-4">
    <h2>{texts.title}</h2>
    {order.status === 'Paid' && !isAllBack(order) ? <Claim order={order} /> : null}
    <Refunds order_id={order.id} />
  </Card>
)

function Claim({ order }: { order: Order }) {
  const [isSent, setSent] = useState(false)
  if (order.refund_requested_at) {
    return (
      <div className="grid gap-2">
        {isSent ? <Notice>{texts.sent}</Notice> : null}
        <p className="font-medium">
          {texts.asked(day.format(new Date(order.refund_requested_at)))}
        </p>
        {order.eligible_for_refund ? <p className="text-soft">{texts.askedText}</p> : null}
      </div>
    )
  }
  if (order.eligible_for_refund) return <Ask order={order} onSent={() => setSent(true)} />
  const last = lastDayOf(order)
  return (
    <p className="text-soft">{last < new Date() ? texts.late(day.format(last)) : texts.cannot}</p>
  )
}

function Ask({ order, onSent }: { order: Order; onSent: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <div className="grid gap-4 print:hidden">
      <p>{texts.may(day.format(lastDayOf(order)))}</p>
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
      <div>
        <Button look="second" onClick={() => setAsking(true)}>
          {texts.ask}
        </Button>
      </div>
      {isAsking ? (
        <Question order={order} onSent={onSent} onClose={() => setAsking(false)} />
      ) : null}
    </div>
  )
}

type QuestionProps = { order: Order; onSent: () => void; onClose: () => void }

function Question({ order, onSent, onClose }: QuestionProps) {
  const queries = useQueryClient()
  return (
    <ConfirmDialog
      title={texts.askTitle}
      text={texts.askText}
      action={texts.send}
      run={(reason) => requestRefund(order.id, reason)}
      onDone={(asked) => {
        onSent()
        queries.setQueryData(orderQuery(order.id).queryKey, asked)
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
