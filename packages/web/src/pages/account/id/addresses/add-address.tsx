import { knownTags, networkName, type Strength, tagUse } from '@emojid/core'
import { useRef, useState } from 'react'
import { Button } from '../../../../design/button.tsx'
import { Combobox } from '../../../../design/combobox.tsx'
import { Field, Select } from '../../../../design/field.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { type Currency, currencies, currencyTitle } from '../../../../records/currencies.ts'
import type { AddressDetection } from '../../../../records/detect.ts'
import { isRival } from '../../../../records/diff.ts'
import { isPayment } from '../../../../records/names.ts'
import { formOf, noParts, recordOf } from '../../../../records/parts.ts'
import { newKey, type Step } from './draft.ts'
import {
  DefaultField,
  type InputFault,
  KeepBoth,
  LabelField,
  literal,
  RecordFields,
  readWanted,
  trimParts,
} from './record-fields.tsx'
import { StrengthLine } from './strength.tsx'
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

const offeredAtMost = 6

type DetectionProps = {
  detected: AddressDetection
  /** The detected or chosen currency. */
  currency: Currency | undefined
  /** How well the address is verified; undefined if it does not match the currency. */
  strength: Strength | undefined
  onChoose: (currency: Currency) => void
}

/** The detected currency of an address; asks if it is ambiguous. */
function Detection({ detected, currency, strength, onChoose }: DetectionProps) {
  const { currencies, isTest } = detected
  const others = currency && strength ? [] : currencies.filter((one) => one !== currency)
  return (
    <div className="grid gap-3">
      <div role="status" className="grid gap-1">
        {currency && strength ? (
          <>
            <p className="font-medium">{texts.is(currencyTitle(currency))}</p>
            <StrengthLine strength={strength} />
          </>
        ) : null}
        {!currency && others.length > 0 ? <p className="font-medium">{texts.several}</p> : null}
        {isTest ? <p className="font-medium text-wrong">{texts.test}</p> : null}
      </div>
      {others.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {others.slice(0, offeredAtMost).map((one) => (
            <Button key={one.ticker} look="second" onClick={() => onChoose(one)}>
              {texts.takeFor(currencyTitle(one))}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}

const placeOf = (tag: string) => tagUse(tag).usual ?? Number.MAX_VALUE
/** The most common records come first. */
const options = knownTags()
  .filter(({ tag }) => formOf(tag) !== 'address')
  .sort((one, other) => placeOf(one.tag) - placeOf(other.tag))
  .map(({ tag, name }) => ({ value: tag as string, text: name }))

const emptyForm = { tag: options[0]?.value ?? '', parts: noParts }

type AddOtherProps = AdditionProps & {
  onNote: (step: Step) => void
  onCancel: () => void
}

/** Adds a record that is not an address of a known currency. */
export function AddOther({ records, outcome, draftKey, onNote, onCancel }: AddOtherProps) {
  const [{ tag, parts }, setForm] = useSessionDraft(draftKey, emptyForm)
  const [problem, setProblem] = useState<InputFault>()
  const [isBeside, setBeside] = useState(false)
  const record = recordOf(tag, trimParts(parts))
  const rivals = isPayment(record) ? outcome.filter((one) => isRival(one, record)) : []
  return (
    <form
      aria-label={texts.addOther}
      noValidate
      className="grid gap-4 rounded-card border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        const reading = readWanted(tag, parts, [...records, ...outcome])
        const isKept = isBeside && rivals.length > 0
        if ('why' in reading) setProblem(reading)
        else onNote({ key: newKey(), kind: 'add', ...reading, isBeside: isKept })
      }}
    >
      <Select
        label={texts.kind}
        options={options}
        value={tag}
        autoFocus
        onChange={({ currentTarget }) => {
          setForm({ tag: currentTarget.value, parts })
          setProblem(undefined)
        }}
      />
      <RecordFields
        tag={tag}
        parts={parts}
        problem={problem}
        onChange={(next) => {
          setForm({ tag, parts: next })
          setProblem(undefined)
        }}
      />
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
