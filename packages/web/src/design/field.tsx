import { type InputHTMLAttributes, useId } from 'react'

export const fieldLook =
  'min-h-11 w-full rounded-field border border-line bg-card px-3 py-2 aria-invalid:border-wrong'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string | undefined
  /** What is wrong with it, and what to do. */
  problem?: string | undefined
}

/** One line of a form: its name, what it takes, what is wrong with it. */
export function Field({ label, hint, problem, className = '', ...input }: Props) {
  const id = useId()
  const told = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={told || undefined}
        className={fieldLook}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} role="alert" className="text-sm font-medium text-wrong">
          {problem}
        </p>
      ) : null}
    </div>
  )
}

/** What a form holds when it is sent. */
export const valueIn = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '').trim()

/** Blanks around a password are part of it. */
export const passwordIn = (form: HTMLFormElement): string =>
  String(new FormData(form).get('password') ?? '')
