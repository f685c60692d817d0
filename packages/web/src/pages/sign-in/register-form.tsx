import { textLengths } from '@emojid/core'
import { requestedLinks } from '../../api/browser-notes.ts'
import { asProblem } from '../../api/problem.ts'
import { continueSignIn } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { useCaptcha } from '../../design/captcha.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { Field, passwordIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { EmailField, OtherFormLink, type SignInForm, useServedForm } from './form-parts.tsx'
import { registerAccount } from './queries.ts'
import { texts } from './texts.ts'

export function RegisterForm({ email, setEmail, onIn }: SignInForm) {
  const form = useServedForm(setEmail)
  const captcha = useCaptcha()
  const register = useAction({
    mutationFn: async (password: string | null) => {
      const body = { email: email.trim(), password }
      requestedLinks.note(body.email)
      const send = (solution: object) => registerAccount({ ...body, ...solution })
      return continueSignIn(await captcha.solved(send))
    },
    onSuccess: onIn,
  })
  const problem = register.error ? asProblem(register.error) : undefined
  const isTaken = problem?.code === 'uniqueness'
  const inFields = {
    email: isTaken ? texts.taken : problem?.in('email'),
    password: problem?.in('password'),
  }
  const isTold = Boolean(inFields.email ?? inFields.password)
  return (
    <>
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          register.mutate(passwordIn(event.currentTarget) || null)
        }}
      >
        <EmailField email={email} setEmail={setEmail} problem={inFields.email} />
        <Field
          label={texts.newPassword}
          hint={texts.newPasswordHint(textLengths.password.minLength)}
          name="password"
          type="password"
          autoComplete="new-password"
          problem={inFields.password}
        />
        {captcha.field}
        <ErrorOf thrown={isTold ? undefined : problem} />
        <Button type="submit" isBusy={register.isPending}>
          {texts.create}
        </Button>
      </form>
      <p className="flex flex-wrap items-center gap-x-2 border-t border-hair pt-3">
        {texts.hasAccount} <OtherFormLink view={undefined}>{texts.signIn}</OtherFormLink>
      </p>
    </>
  )
}
