import { Button } from '../../../design/button.tsx'
import { Field } from '../../../design/field.tsx'
import type { DraftRange } from './draft.ts'
import { texts } from './texts.ts'

const rangesAtMost = 10

type Props = {
  title: string
  text: string
  /** The label of the first field. */
  first: string
  nameOf: (nth: number) => string
  add: string
  ranges: readonly DraftRange[]
  onChange: (ranges: DraftRange[]) => void
}

/** Score ranges, each with a count or a chance. */
export function Ranges({ title, text, first, nameOf, add, ranges, onChange }: Props) {
  const change = (key: number, part: Partial<DraftRange>) =>
    onChange(ranges.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const next = Math.max(0, ...ranges.map(({ key }) => key)) + 1
  return (
    <div className="grid gap-3 border-t border-hair pt-4">
      <div className="grid gap-1">
        <h2 className="text-lg">{title}</h2>
        <p className="text-sm text-soft">{text}</p>
      </div>
      {ranges.map(({ key, n, min, max }, nth) => (
        <fieldset key={key} className="grid gap-3 rounded-field border border-hair p-3">
          <legend className="px-1 font-semibold">{nameOf(nth + 1)}</legend>
          <div className="grid grid-cols-3 items-end gap-3">
            <NumberField label={first} value={n} onChange={(value) => change(key, { n: value })} />
            <NumberField
              label={texts.minScore}
              value={min}
              onChange={(value) => change(key, { min: value })}
            />
            <NumberField
              label={texts.maxScore}
              value={max}
              onChange={(value) => change(key, { max: value })}
            />
          </div>
          <Button
            look="quiet"
            className="justify-self-start"
            onClick={() => onChange(ranges.filter((one) => one.key !== key))}
          >
            {texts.remove(nameOf(nth + 1))}
          </Button>
        </fieldset>
      ))}
      {ranges.length < rangesAtMost ? (
        <Button
          look="second"
          className="justify-self-start"
          onClick={() => onChange([...ranges, { key: next, n: '', min: '', max: '' }])}
        >
          {add}
        </Button>
      ) : null}
    </div>
  )
}

type NumberProps = { label: string; value: string; onChange: (value: string) => void }

/** A text input, so that the typed text stays unchanged. */
export const NumberField = ({ label, value, onChange }: NumberProps) => (
  <Field
    label={label}
    required
    inputMode="decimal"
    autoComplete="off"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
