import { useState } from 'react'
import { Field } from '../../../design/field.tsx'
import { moneyText } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { orderActions } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.misc

/** Refunds an amount without taking items back. */
export function RefundAmount({ id, rest }: { id: string; rest: number }) {
  const [amount, setAmount] = useState('')
  return (
    <AskButton
      {...texts}
      isDangerous
      asksReason
      onOpen={() => setAmount('')}
      sends={amount}
      run={(reason, key) =>
        orderActions(id).refundMisc(key, {
          reason,
          amount_in_cents: Math.round(Number(amount) * 100),
        })
      }
    >
      <Field
        label={texts.amount}
        hint={texts.amountHint(moneyText(rest))}
        type="number"
        inputMode="decimal"
        required
        min="0.01"
        max={rest / 100}
        step="0.01"
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
    </AskButton>
  )
}
