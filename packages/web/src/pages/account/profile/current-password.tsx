import { asProblem } from '../../../api/problem.ts'
import { Field } from '../../../design/field.tsx'
import { texts } from './texts.ts'

/** Account changes require the current password, if there is one. */
export const CurrentPassword = ({ thrown }: { thrown: unknown }) => (
  <Field
    label={texts.currentPassword}
    name="current"
    type="password"
    required
    autoComplete="current-password"
    problem={
      thrown && asProblem(thrown).code === 'wrong_password' ? texts.wrongPassword : undefined
    }
  />
)

/** Leading and trailing spaces are part of a password. */
export function currentPasswordIn(form: HTMLFormElement): { current_password?: string } {
  const password = new FormData(form).get('current')
  return password === null ? {} : { current_password: String(password) }
}
