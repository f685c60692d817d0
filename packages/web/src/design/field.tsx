import { textLengths, withoutInvisible } from '@emojid/core'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { texts } from './texts.ts'
import { withArt } from './with-art.tsx'

type Props = InputHTMLAttributes<HTMLInputElement> & FieldTexts

/** A text input with label, hint and error. */
export const Field = ({ label, hint, problem, className, ...input }: Props) => (
  <FieldFrame label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => <input {...input} {...attributes} className={fieldLook} />}
  </FieldFrame>
)

/** Reads a trimmed form value. */
export const valueIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '').trim()

/**
 * Clears the inputs that still have what was sent. Others stay: people may have typed the next value
 * while the request ran.
 */
export function clearSent(form: HTMLFormElement, sent: FormData): void {
  for (const input of form.elements) {
    if (input instanceof HTMLInputElement && input.value === sent.get(input.name)) input.value = ''
  }
}

/** Reads a password. Leading and trailing spaces are part of it. */
export const passwordIn = (form: HTMLFormElement): string =>
  String(new FormData(form).get('password') ?? '')

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & FieldTexts

export const TextArea = ({ label, hint, problem, className, rows = 3, ...area }: TextAreaProps) => (
  <FieldFrame label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => <textarea {...area} {...attributes} rows={rows} className={fieldLook} />}
  </FieldFrame>
)

export type Option = { value: string; text: string }

/** The selectable values with their labels. */
export const optionsOf = <Value extends string>(
  values: readonly Value[],
  words: Readonly<Record<Value, string>>,
): { value: Value; text: string }[] => values.map((value) => ({ value, text: words[value] }))

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> &
  FieldTexts & { options: readonly Option[]; className?: string }

/** A native select. */
export const Select = ({ label, hint, problem, options, className, ...select }: SelectProps) => (
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

export const fieldLook =
  'min-h-11 w-full rounded-field border border-line bg-card px-3 py-2 aria-invalid:border-wrong'

/** The texts of a form field. */
export type FieldTexts = {
  label: string
  hint?: string | undefined
  /** The error and the next step. */
  problem?: string | undefined
}

type Attributes = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}
type FieldFrameProps = FieldTexts & {
  className?: string
  children: (attributes: Attributes) => ReactNode
}

/** Any input with label, hint and error. */
export function FieldFrame({ label, hint, problem, className = '', children }: FieldFrameProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} role="alert" className="text-sm font-medium text-wrong">
          {withArt(problem)}
        </p>
      ) : null}
    </div>
  )
}

/** Asks for a reason for the audit log, in the form field `reason`. */
export const ReasonField = () => (
  <TextArea
    label={texts.confirm.reason}
    hint={texts.confirm.reasonHint}
    name="reason"
    required
    // Spaces alone are not a reason.
    {...textLengths.reason}
    onInput={({ currentTarget: area }) =>
      area.setCustomValidity(
        withoutInvisible(area.value).length < textLengths.reason.minLength
          ? texts.confirm.reasonShort(textLengths.reason.minLength)
          : '',
      )
    }
  />
)
