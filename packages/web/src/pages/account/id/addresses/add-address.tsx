import { networkName } from '@emojid/core'
import { useRef, useState } from 'react'
import { Button } from '../../../../design/button.tsx'
import { Combobox } from '../../../../design/combobox.tsx'
import { Field } from '../../../../design/field.tsx'
import { Select } from '../../../../design/select.tsx'
import { type Currency, currencies, currencyTitle } from '../../../../records/currencies.ts'
import { Detection } from './detection.tsx'
import { newKey, type Step } from './draft.ts'
import { KeepBoth } from './keep-both.tsx'
import { DefaultField, LabelField, literal } from './record-fields.tsx'
import { texts } from './texts.ts'
import { type AdditionProps, useNewAddress } from './use-new-address.ts'

const asOption = (currency: Currency) => ({
  value: currency.ticker,
  text: currencyTitle(currency),
})

type Props = AdditionProps & {
  onNote: (step: Step) => void
  onCancel: () => void
}

/** Adds an address: detects its currency, or lets the owner choose one. */
export function AddAddress({ onNote, onCancel, ...addition }: Props) {
  const form = useNewAddress(addition)
  const [isBeside, setBeside] = useState(false)
  const choice = useRef<HTMLInputElement>(null)
  const { parts, setParts, currency, networks, network, rivals } = form
  return (
    <form
      aria-label={texts.addAddress}
      noValidate
      className="grid gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        const noted = form.send()
        const isKept = isBeside && rivals.length > 0
        if (noted) onNote({ key: newKey(), kind: 'add', ...noted, isBeside: isKept })
      }}
    >
      <Field
        label={texts.address}
        hint={texts.addressHint}
        problem={form.problemIn('text')}
        {...literal}
        autoFocus
        value={parts.text}
        onBlur={() => form.ask(parts.text !== '')}
        onChange={({ currentTarget, nativeEvent }) => {
          setParts({ ...parts, text: currentTarget.value })
          form.ask((nativeEvent as InputEvent).inputType === 'insertFromPaste')
        }}
      />
      <Detection
        {...form}
        onChoose={(one) => {
          form.setChosen(one)
          // The pressed button is unmounted by then; the choice takes the focus.
          setTimeout(() => choice.current?.focus())
        }}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Combobox
          ref={choice}
          label={texts.currency}
          hint={texts.currencyHint}
          problem={form.currencyProblem}
          empty={texts.noCurrency}
          options={currencies().map(asOption)}
          value={currency ? asOption(currency) : null}
          onChange={(option) =>
            form.setChosen(currencies().find(({ ticker }) => ticker === option?.value))
          }
        />
        {networks.length > 1 || networks[0] ? (
          <Select
            label={texts.network}
            hint={texts.networkHint}
            problem={form.problemIn('network')}
            value={network}
            onChange={({ currentTarget }) => form.setNetwork(currentTarget.value)}
            options={networks.map((value) => ({
              value,
              text: value ? networkName(value) : texts.anyNetwork,
            }))}
          />
        ) : null}
      </div>
      <LabelField
        value={parts.label}
        problem={form.problemIn('label')}
        onChange={({ currentTarget }) => setParts({ ...parts, label: currentTarget.value })}
      />
      {network === '' ? <DefaultField parts={parts} onChange={setParts} /> : null}
      <KeepBoth rivals={rivals} isBeside={isBeside} setBeside={setBeside} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">{texts.note}</Button>
        <Button look="second" onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
