import type { SelectHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts, fieldLook } from './field-frame.tsx'

export type Option = { value: string; text: string }

/** The selectable values with their labels. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): { value: Value; text: string }[] => values.map((value) => ({ value, text: words[value] }))

type Props = SelectHTMLAttributes<HTMLSelectElement> &
  FieldTexts & { options: readonly Option[]; className?: string }

/** A native select. */
export const Select = ({ label, hint, problem, options, className, ...select }: Props) => (
  <FieldFrame label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => (
      <select {...select} {...attributes} className={fieldLook}>
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
)
