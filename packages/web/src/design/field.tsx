import type { InputHTMLAttributes } from 'react'
import { type FieldTexts, fieldLook, Labelled } from './labelled.tsx'

type Props = InputHTMLAttributes<HTMLInputElement> & FieldTexts

/** One line of a form: its name, what it takes, what is wrong with it. */
export const Field = ({ label, hint, problem, className, ...input }: Props) => (
  <Labelled label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => <input {...input} {...attributes} className={fieldLook} />}
  </Labelled>
)

/** What a form holds when it is sent. */
export const valueIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '').trim()

/** Blanks around a password are part of it. */
export const passwordIn = (form: HTMLFormElement): string =>
  String(new FormData(form).get('password') ?? '')
