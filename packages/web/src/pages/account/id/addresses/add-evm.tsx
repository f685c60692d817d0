import { useState } from 'react'
import { Button } from '../../../../design/button.tsx'
import { Checkbox } from '../../../../design/choice.tsx'
import { Field } from '../../../../design/field.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { evmNetworks, evmRecord } from '../../../../records/evm-networks.ts'
import { newKey, type Step } from './draft.ts'
import { LabelField, literal, wrongIn } from './record-fields.tsx'
import { StrengthLine } from './strength.tsx'
import { texts as pageTexts } from './texts.ts'

const { evm: texts } = pageTexts

type Props = {
  /** The input survives a reload under this key. */
  draftKey: string
  onNote: (steps: readonly Step[]) => void
  onCancel: () => void
}

/** One address for several networks, as Ethereum wallets have it. */
export function AddEvm({ draftKey, onNote, onCancel }: Props) {
  const networks = evmNetworks()
  const usual = networks.filter(({ isUsual }) => isUsual).map(({ ticker }) => ticker)
  const emptyForm = { address: '', label: '', tickers: usual }
  const [form, setForm] = useSessionDraft(draftKey, emptyForm)
  const { address, label, tickers } = form
  const [isSent, setSent] = useState(false)
  const text = address.trim()
  const records = networks
    .filter(({ ticker }) => tickers.includes(ticker))
    .map(({ ticker }) => evmRecord(ticker, text, label.trim()))
  const onEthereum = evmRecord('ETH', text, label.trim())
  const problem = 'why' in onEthereum ? wrongIn(onEthereum) : undefined
  const toggle = (ticker: string) => {
    const others = tickers.filter((one) => one !== ticker)
    setForm({ ...form, tickers: tickers.includes(ticker) ? others : [...others, ticker] })
  }
  return (
    <form
      aria-label={texts.add}
      noValidate
      className="grid gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        const good = records.flatMap((one) => ('why' in one ? [] : one))
        if (problem || good.length === 0 || good.length < records.length) return
        onNote(good.map((noted) => ({ key: newKey(), kind: 'add', ...noted, isBeside: false })))
      }}
    >
      <Field
        label={pageTexts.address}
        hint={texts.hint}
        problem={isSent && problem?.part !== 'label' ? problem?.why : undefined}
        {...literal}
        autoFocus
        value={address}
        onChange={({ currentTarget }) => setForm({ ...form, address: currentTarget.value })}
      />
      {'why' in onEthereum ? null : <StrengthLine strength={onEthereum.strength} />}
      <fieldset className="grid gap-x-4 sm:grid-cols-2">
        <legend className="font-medium text-sm">{texts.networks}</legend>
        {networks.map(({ ticker, name }) => (
          <Checkbox
            key={ticker}
            label={name}
            checked={tickers.includes(ticker)}
            onChange={() => toggle(ticker)}
          />
        ))}
      </fieldset>
      {isSent && tickers.length === 0 ? <p className="text-wrong">{texts.none}</p> : null}
      <LabelField
        problem={isSent && problem?.part === 'label' ? problem.why : undefined}
        value={label}
        onChange={({ currentTarget }) => setForm({ ...form, label: currentTarget.value })}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">{pageTexts.note}</Button>
        <Button look="second" onClick={onCancel}>
          {pageTexts.cancel}
        </Button>
      </div>
    </form>
  )
}
