import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Progress } from '../../api/sign-in.ts'
import { Field } from '../../design/field.tsx'
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
