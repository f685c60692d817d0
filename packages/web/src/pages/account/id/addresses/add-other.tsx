import { knownTags } from '@emojid/core'
import { useState } from 'react'
import { Button } from '../../../../design/button.tsx'
import { Select } from '../../../../design/select.tsx'
import { useSessionDraft } from '../../../../design/use-session-draft.ts'
import { isRival } from '../../../../records/diff.ts'
import { isPayment } from '../../../../records/names.ts'
import { formOf, noParts, recordOf } from '../../../../records/parts.ts'
import { newKey, type Step } from './draft.ts'
import { KeepBoth } from './keep-both.tsx'
import { type InputFault, readWanted, trimParts } from './read-wanted.ts'
import { RecordFields } from './record-fields.tsx'
import { texts } from './texts.ts'
import type { AdditionProps } from './use-new-address.ts'

/** The most common records come first. */
const usual = ['0x0005', '0x0002', '0x4001', '0x0004']
const kinds = knownTags()
  .filter(({ tag }) => formOf(tag) !== 'address')
  .map(({ tag, name }) => ({ value: tag as string, text: name }))
const options = [
  ...usual.flatMap((tag) => kinds.find(({ value }) => value === tag) ?? []),
  ...kinds.filter(({ value }) => !usual.includes(value)),
]

const emptyForm = { tag: options[0]?.value ?? '', parts: noParts }

type Props = AdditionProps & {
  onNote: (step: Step) => void
  onCancel: () => void
}

/** Adds a record that is not an address of a known currency. */
export function AddOther({ records, outcome, draftKey, onNote, onCancel }: Props) {
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
