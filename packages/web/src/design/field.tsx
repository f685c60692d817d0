import type { InputHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts, fieldLook } from './field-frame.tsx'

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
