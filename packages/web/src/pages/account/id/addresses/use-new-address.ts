import { addressInUri } from '@emojid/core'
import { useState } from 'react'
import type { StoredRecord } from '../../../../api/records.ts'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { type Currency, choose, currencies } from '../../../../records/currencies.ts'
import { detect } from '../../../../records/detect.ts'
import { isRival } from '../../../../records/diff.ts'
import { isRefused } from '../../../../records/judge.ts'
import { barIn, noParts, type Parts, type TypedPart } from '../../../../records/parts.ts'
import { type InputFault, trimParts, wrongIn } from './record-fields.tsx'
import { texts } from './texts.ts'

type KnownRecords = {
  /** The saved records. */
  records: readonly StoredRecord[]
  /** The records after saving the pending changes. */
  outcome: readonly StoredRecord[]
}

/** The form of an addition, whose input survives a reload under this key. */
export type AdditionProps = KnownRecords & { draftKey: string }

const emptyForm = { parts: noParts, ticker: '', network: '' }

/** The state of the form for a new address: detection, choice and errors. */
export function useNewAddress({ records, outcome, draftKey }: AdditionProps) {
  const [form, setForm] = useSessionDraft(draftKey, emptyForm)
  const { parts: input, network } = form
  const chosenCurrency = currencies().find(({ ticker }) => ticker === form.ticker)
  /** Errors appear after the first submit, not while typing. */
  const [isAsked, setAsked] = useState(false)
  const [isSent, setSent] = useState(false)
  const writtenParts = trimParts(input)
  const parts = { ...writtenParts, text: addressInUri(writtenParts.text) }
  const detected = detect(parts.text)
  const { mistyped } = detected
  const [only, ...more] = detected.currencies
  const currency = chosenCurrency ?? (more.length === 0 ? only : undefined)
  const networks = currency ? networksFor(currency) : []
  const named = networks.includes(network) ? network : (networks[0] ?? '')
  const record = currency && choose({ currency, network: named }, parts)
  const verdict = record?.is
  const isGood = verdict !== undefined && !isRefused(verdict)
  const { data, strength } = isGood ? verdict : {}
  const isRepeated = [...records, ...outcome].some(
    (one) => one.tag === record?.tag && one.data === data,
  )
  const rivals =
    record && isGood && !isRepeated ? outcome.filter((one) => isRival(one, record)) : []
  const wrong = (): InputFault | undefined => {
    const bar = barIn(parts)
    if (bar) return { why: texts.bar, part: bar }
    if (isRepeated) return { why: texts.same, part: 'text' }
    if (!currency && mistyped) return { why: texts.mistyped(mistyped), part: 'text' }
    return verdict && isRefused(verdict) ? wrongIn(verdict) : undefined
  }
  return {
    parts: input,
    setParts: (parts: Parts) => setForm((before) => ({ ...before, parts })),
    chosen: chosenCurrency,
    setChosen: (chosen: Currency | undefined) =>
      setForm((before) => ({ ...before, ticker: chosen?.ticker ?? '' })),
    currency,
    detected,
    rivals,
    networks,
    network: named,
    setNetwork: (name: string) => setForm((before) => ({ ...before, network: name })),
    ask: setAsked,
    strength,
    problemIn(part: TypedPart) {
      const problem = isAsked ? wrong() : undefined
      return problem?.part === part ? problem.why : undefined
    },
    currencyProblem: isSent && !currency && !mistyped ? texts.chooseCurrency : undefined,
    /** Returns the record to add; shows the error instead if there is one. */
    send() {
      setAsked(true)
      setSent(true)
      const isRight = record && data !== undefined && strength && !wrong()
      return isRight ? { record: { tag: record.tag, data }, strength } : undefined
    },
  }
}

/** The empty network stands for the currency's own chain. */
const networksFor = ({ tags, networks }: Currency): string[] => [
  ...(tags.length > 0 ? [''] : []),
  ...networks,
]
