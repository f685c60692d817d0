import { textLengths } from '@emojid/core'
import { useState } from 'react'
import { Badge, type Tone } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { Field } from '../../../design/field.tsx'
import { Money } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { OrderLink } from '../parts/links.tsx'
import { markRefundPaid, type RefundView } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.refund
const payoutTexts = pageTexts.given
const tones: Record<RefundView['status'], Tone> = { queued: 'plain', by_hand: 'main', done: 'good' }

export const refundColumns: Column<RefundView>[] = [
  {
    title: texts.columns.amount,
    show: (refund) => (
      <span className="font-semibold">
        <Money cents={amountToPay(refund)} />
      </span>
    ),
  },
  {
    title: texts.columns.order,
    show: ({ order_id }) => (
      <OrderLink id={order_id}>
        <span className="font-mono">{order_id.slice(-8)}</span>
      </OrderLink>
    ),
  },
  { title: texts.columns.kind, show: ({ kind }) => texts.kinds[kind] },
  {
    title: texts.columns.state,
    show: (refund) => <RefundState {...refund} />,
  },
  { title: texts.columns.reason, isLong: true, show: ({ reason }) => reason ?? '' },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    show: (refund) => (refund.status === 'by_hand' ? <MarkRefundPaid id={refund.id} /> : '—'),
  },
]

/** Without the order, for the list of one order. */
export const columnsOfOneOrder = refundColumns.filter(({ title }) => title !== texts.columns.order)

/** The bank may have paid a part of the refund; this is the rest. */
const amountToPay = ({ status, amount_in_cents, by_bank_in_cents = 0 }: RefundView): number =>
  status === 'done' ? amount_in_cents : amount_in_cents - by_bank_in_cents

function RefundState({ status, has_claim, paid_out_at }: RefundView) {
  if (has_claim && !paid_out_at) return <Badge>{texts.toClaim}</Badge>
  return <Badge tone={tones[status]}>{texts.states[status]}</Badge>
}

function MarkRefundPaid({ id }: { id: string }) {
  const [reference, setReference] = useState('')
  return (
    <AskButton
      {...payoutTexts}
      onOpen={() => setReference('')}
      sends={reference.trim()}
      run={(_, key) => markRefundPaid(id, key, reference.trim())}
    >
      <Field
        label={payoutTexts.reference}
        hint={payoutTexts.referenceHint}
        required
        {...textLengths.payoutReference}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </AskButton>
  )
}
