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

/** Reads a password. Leading and trailing spaces are part of it. */
export const passwordIn = (form: HTMLFormElement): string =>
  String(new FormData(form).get('password') ?? '')
