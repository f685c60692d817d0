import { useState } from 'react'
import type { AdminOrder } from '../../../api/admin-orders.ts'
import { Field } from '../../../design/field.tsx'
import { moneyText } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { orderActions } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.cash

/** Records cash that an operator received. */
export function TakeCash({ order }: { order: AdminOrder }) {
  const due = order.remaining_due_in_cents
  const [amount, setAmount] = useState('')
  const [reference, setReference] = useState('')
  if (due === 0) return null
  return (
    <AskButton
      {...texts}
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
        label={texts.amount}
        hint={texts.amountHint(moneyText(due))}
        type="number"
        inputMode="decimal"
        required
        min="0.01"
        step="0.01"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
      <Field
        label={texts.reference}
        hint={texts.referenceHint}
        required
        pattern=".*\S.*"
        maxLength={255}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </AskButton>
  )
}
