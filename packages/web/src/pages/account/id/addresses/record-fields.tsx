import { type Tag, tagInfo } from '@emojid/core'
import { Checkbox } from '../../../../design/choice.tsx'
import { Field } from '../../../../design/field.tsx'
import { TextArea } from '../../../../design/text-area.tsx'
import { formOf, type Parts, type TypedPart } from '../../../../records/parts.ts'
import { texts as idTexts } from '../texts.ts'
import type { InputFault } from './read-wanted.ts'
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

const longTags = ['0x0002', '0x4110', '0x5001', '0x5010']

function PlainField({ tag, isFirst, ...rest }: PlainProps) {
  const { name, data_form } = tagInfo(tag as Tag) ?? { name: tag, data_form: 'text' }
  const sharedProps = {
    label: name,
    hint: texts.hints[tag] ?? texts.forms[data_form],
    ...rest,
    autoFocus: isFirst,
  }
  if (longTags.includes(tag)) return <TextArea {...sharedProps} rows={2} />
  return <Field {...sharedProps} {...(data_form === 'text' ? {} : literal)} />
}
