import { continueSignIn } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { Field, passwordIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { useCaptcha } from '../../design/use-captcha.tsx'
import { EmailField, type Known, OtherFormLink } from './form-parts.tsx'
import { signInByPassword } from './queries.ts'
import { texts } from './texts.ts'

export function PasswordForm({ email, setEmail, onIn }: Known) {
  const captcha = useCaptcha()
  const signIn = useAction({
    mutationFn: async (password: string) => {
      const body = { email: email.trim(), password }
      const send = (solution: object) => signInByPassword({ ...body, ...solution })
      return continueSignIn(await captcha.solved(send))
    },
    onSuccess: onIn,
  })
  return (
    <>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate(passwordIn(event.currentTarget))
        }}
      >
        <EmailField email={email} setEmail={setEmail} />
        <Field
          label={texts.password}
          name="password"
          type="password"
          required
          autoComplete="current-password"
        />
        {captcha.field}
        <ErrorOf thrown={signIn.error} />
        <Button type="submit" isBusy={signIn.isPending}>
          {texts.signIn}
        </Button>
      </form>
      <div className="flex flex-wrap justify-between gap-x-4 border-t border-hair pt-3">
        <OtherFormLink view="link">{texts.useLink}</OtherFormLink>
        <OtherFormLink view="reset">{texts.forgot}</OtherFormLink>
        <p className="flex w-full flex-wrap items-center gap-x-2">
          {texts.noAccount} <OtherFormLink view="register">{texts.titles.register}</OtherFormLink>
        </p>
      </div>
    </>
  )
}
