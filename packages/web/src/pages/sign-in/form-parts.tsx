import { Link } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import type { Progress } from '../../api/sign-in.ts'
import { Field } from '../../design/field.tsx'
import { onTakeOver } from '../../design/served-view.ts'
import { texts as sharedTexts } from '../texts.ts'
import { type SignInSearch, useSignInSearch } from './address.ts'

/** The shared state of all forms. */
export type SignInForm = {
  email: string
  setEmail: (email: string) => void
  onIn: (progress: Progress) => void
}

type EmailProps = Pick<SignInForm, 'email' | 'setEmail'> & { problem?: string | undefined }

export const EmailField = ({ email, setEmail, problem }: EmailProps) => (
  <Field
    label={sharedTexts.email}
    name="email"
    type="email"
    required
    autoComplete="username"
    value={email}
    onChange={(event) => setEmail(event.target.value)}
    problem={problem}
  />
)

type OtherFormLink = { view: SignInSearch['view']; children: ReactNode }

/** A link to another form, which leads to the same page afterwards. */
export function OtherFormLink({ view, children }: OtherFormLink) {
  const { next } = useSignInSearch()
  return (
    <Link
      to="/sign-in"
      search={{ ...(next ? { next } : {}), ...(view ? { view } : {}) }}
      className="inline-flex min-h-11 items-center font-medium text-main underline underline-offset-4"
    >
      {children}
    </Link>
  )
}

const fieldIn = (place: ParentNode, name: string) =>
  place.querySelector<HTMLInputElement>(`input[name="${name}"]`)

/** Takes over what a person typed before the app ran. */
export function useServedForm(
  setEmail: (email: string) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(
    () =>
      onTakeOver((serverView) => {
        const email = fieldIn(serverView, 'email')?.value
        if (email) setEmail(email)
        const password = form.current && fieldIn(form.current, 'password')
        if (password) password.value = fieldIn(serverView, 'password')?.value ?? ''
        return undefined
      }),
    [],
  )
  return form
}
