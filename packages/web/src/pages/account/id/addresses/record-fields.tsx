import { addressInUri, type Strength, type Tag, tagInfo, tagUse } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { Checkbox } from '../../../../design/choice.tsx'
import { Field, TextArea } from '../../../../design/field.tsx'
import { isRefused, judge, type Refusal } from '../../../../records/judge.ts'
import {
  barIn,
  formOf,
  type Parts,
  partsOf,
  recordOf,
  type TypedPart,
  typedPart,
} from '../../../../records/parts.ts'
import { texts as idTexts } from '../texts.ts'
import { texts } from './texts.ts'

export const literal = {
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const

type Props = {
  tag: string
  parts: Parts
  problem: InputFault | undefined
  /** Takes the focus when the form opens. */
  isFirst?: boolean
  onChange: (parts: Parts) => void
}

/** The input fields of a record. */
export function RecordFields({ tag, parts, problem, isFirst, onChange }: Props) {
  const form = formOf(tag)
  const set = (part: TypedPart) => ({
    value: parts[part],
    problem: problem?.part === part ? problem.why : undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...parts, [part]: currentTarget.value }),
  })
  if (form === 'plain') return <PlainField tag={tag} {...set('text')} isFirst={isFirst} />
  return (
    <>
      {form === 'address' ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={texts.ticker} {...literal} {...set('ticker')} autoFocus={isFirst} />
          {form === 'token' ? (
            <>
              <Field label={texts.longName} {...set('longName')} />
              <Field label={texts.network} {...literal} {...set('network')} />
            </>
          ) : null}
        </div>
      )}
      <Field
        label={texts.address}
        {...literal}
        {...set('text')}
        autoFocus={isFirst && form === 'address'}
      />
      {form === 'ticker_address' ? null : <LabelField {...set('label')} />}
      {form === 'address' ? <DefaultField parts={parts} onChange={onChange} /> : null}
    </>
  )
}

type TypedProps = {
  value: string
  problem: string | undefined
  onChange: (event: { currentTarget: { value: string } }) => void
}

export const LabelField = (typedProps: TypedProps) => (
  <Field label={idTexts.label} hint={texts.labelHint} {...typedProps} />
)

type PartProps = Pick<Props, 'parts' | 'onChange'>

export const DefaultField = ({ parts, onChange }: PartProps) => (
  <Checkbox
    label={texts.makeDefault}
    hint={texts.defaultHint}
    checked={parts.isDefault}
    onChange={({ currentTarget }) => onChange({ ...parts, isDefault: currentTarget.checked })}
  />
)

type PlainProps = TypedProps & { tag: string; isFirst: boolean | undefined }

function PlainField({ tag, isFirst, ...rest }: PlainProps) {
  const { name, data_form } = tagInfo(tag as Tag) ?? { name: tag, data_form: 'text' }
  const { hint, in_lines } = tagUse(tag)
  const sharedProps = {
    label: name,
    hint: hint ?? texts.forms[data_form],
    ...rest,
    autoFocus: isFirst,
  }
  if (in_lines) return <TextArea {...sharedProps} rows={2} />
  return <Field {...sharedProps} {...(data_form === 'text' ? {} : literal)} />
}

type KeepBothProps = {
  /** The records that would be replaced, saved or drafted. */
  rivals: readonly NewRecord[]
  isBeside: boolean
  setBeside: (isBeside: boolean) => void
}

/** One address per currency is the default; the owner can keep several. */
export const KeepBoth = ({ rivals, isBeside, setBeside }: KeepBothProps) =>
  rivals.length === 0 ? null : (
    <Checkbox
      label={texts.keepBoth}
      hint={texts.keepBothHint(rivals.map((rival) => partsOf(rival).text))}
      checked={isBeside}
      onChange={({ currentTarget }) => setBeside(currentTarget.checked)}
    />
  )

export const trimParts = (parts: Parts): Parts => ({
  ...parts,
  text: parts.text.trim(),
  label: parts.label.trim(),
  ticker: parts.ticker.trim(),
  longName: parts.longName.trim(),
  network: parts.network.trim(),
})

/** An error and its field. */
export type InputFault = { why: string; part: TypedPart }

export function wrongIn({ why, code, part }: Refusal): InputFault {
  const field = typedPart(part)
  const isLong = field === 'label' && code === 'too_long_data'
  return { why: isLong ? texts.longLabel : why, part: field }
}

/** A record as stored, and how well its entered text is verified. */
export type WantedRecord = { record: NewRecord; strength: Strength }

/** The record of the form, or its error. */
export function readWanted(
  tag: string,
  input: Parts,
  others: readonly StoredRecord[],
): WantedRecord | InputFault {
  const writtenParts = trimParts(input)
  const isAddress = formOf(tag) !== 'plain'
  const parts = isAddress
    ? { ...writtenParts, text: addressInUri(writtenParts.text) }
    : writtenParts
  const record = recordOf(tag, parts)
  const bar = record.data === parts.text ? undefined : barIn(parts)
  if (bar) return { why: texts.bar, part: bar }
  const verdict = judge(record)
  if (isRefused(verdict)) return wrongIn(verdict)
  const { data, strength } = verdict
  const isRepeated = others.some((other) => other.tag === tag && other.data === data)
  return isRepeated ? { why: texts.same, part: 'text' } : { record: { tag, data }, strength }
}
