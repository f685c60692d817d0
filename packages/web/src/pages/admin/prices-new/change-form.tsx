import type { PriceTable } from '@emojid/core'
import { useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { centsOf } from '../../../design/cents.ts'
import { Notice } from '../../../design/feedback.tsx'
import { Field, optionsOf, Select } from '../../../design/field.tsx'
import { differences } from '../prices/price-grid.tsx'
import { changeTable, type Way } from './change-table.ts'
import { texts } from './texts.ts'

const ways = ['set', 'percent', 'none'] as const
const options = optionsOf(ways, texts.ways)
const dollarsAtMost = 1_000_000
/** The score of single emojis, which are not for sale. */
const priceless = 100

type Props = { prices: PriceTable; onChange: (prices: (number | null)[]) => void }

/** Changes the prices of a range of scores. */
export function ChangeForm({ prices, onChange }: Props) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [way, setWay] = useState<Way>('set')
  const [amount, setAmount] = useState('')
  const [problem, setProblem] = useState<{ in: 'range' | 'amount'; text: string }>()
  const [applied, setApplied] = useState<number>()
  const problemIn = (field: 'range' | 'amount') =>
    problem?.in === field ? problem.text : undefined
  const apply = () => {
    setApplied(undefined)
    const range = { from: scoreOf(from), to: scoreOf(to || from) }
    if (!(range.from <= range.to)) return setProblem({ in: 'range', text: texts.wrongRange })
    if (way === 'set' && range.to === priceless)
      return setProblem({ in: 'range', text: texts.priceless })
    const number = amountOf(way, amount)
    if (number === undefined) {
      const text = way === 'set' ? texts.wrongAmount : texts.wrongPercent
      return setProblem({ in: 'amount', text })
    }
    const changedPrices = changeTable(prices, { ...range, way, amount: number })
    setProblem(undefined)
    setApplied(differences(changedPrices, prices))
    onChange(changedPrices)
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-[7rem_7rem_minmax(0,1fr)_minmax(0,1fr)]">
        <Field
          label={texts.from}
          inputMode="numeric"
          required
          value={from}
          onChange={({ currentTarget }) => setFrom(currentTarget.value)}
        />
        <Field
          label={texts.to}
          inputMode="numeric"
          value={to}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <Select
          label={texts.how}
          options={options}
          value={way}
          onChange={({ currentTarget }) => setWay(currentTarget.value as Way)}
        />
        {way === 'none' ? null : (
          <Field
            label={way === 'set' ? texts.amount : texts.percent}
            hint={way === 'set' ? texts.amountHint : texts.percentHint}
            inputMode="decimal"
            required
            value={amount}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
            problem={problemIn('amount')}
          />
        )}
      </div>
      {problemIn('range') ? (
        <p role="alert" className="text-sm font-medium text-wrong">
          {problemIn('range')}
        </p>
      ) : null}
      <Button type="submit" look="second" className="justify-self-start">
        {texts.apply}
      </Button>
      {applied === undefined ? null : <Notice>{texts.applied(applied)}</Notice>}
    </form>
  )
}

const scoreOf = (text: string): number => {
  const score = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN
  return score >= 1 && score <= 100 ? score : Number.NaN
}

function amountOf(way: Way, text: string): number | undefined {
  if (way === 'none') return 0
  if (way === 'set') {
    const cents = centsOf(text) ?? 0
    return cents >= 1 && cents <= dollarsAtMost * 100 ? cents : undefined
  }
  const percent = /^-?\d{1,4}(\.\d{1,2})?$/.test(text.trim()) ? Number(text) : Number.NaN
  return percent >= -99 && percent <= 1_000 ? percent : undefined
}
