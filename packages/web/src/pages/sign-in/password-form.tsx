import { requestedLinks } from '../../api/browser-notes.ts'
import { throughVisit } from '../../api/partner-visit.ts'
import { canUsePasskeys, signInByPasskey } from '../../api/passkeys.ts'
import { continueSignIn, mailSignInLink } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { useCaptcha } from '../../design/captcha.tsx'
import { DemoMailbox } from '../../design/demo-mailbox.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { Field, passwordIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { useSignInSearch } from './address.ts'
import { EmailField, OtherFormLink, type SignInForm, useServedForm } from './form-parts.tsx'
import { signInByPassword } from './queries.ts'
import { texts } from './texts.ts'

/** Password and emailed link side by side: both start with the address. */
export function PasswordForm({ email, setEmail, onIn }: SignInForm) {
  const { next } = useSignInSearch()
  const form = useServedForm(setEmail)
  const captcha = useCaptcha()
  const signIn = useAction({
    mutationFn: async (password: string) => {
      const body = { email: email.trim(), password }
      const send = (solution: object) => signInByPassword({ ...body, ...solution })
      return continueSignIn(await captcha.solved(send))
    },
    onSuccess: onIn,
  })
  const mail = useAction({
    mutationFn: (to: string) =>
      captcha.solved((solution) => {
        requestedLinks.note(to)
        const redirect = throughVisit(next)
        return mailSignInLink({ email: to, ...solution, ...(redirect && { redirect }) })
      }),
  })
  return (
    <>
      <form
        ref={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mail.reset()
          signIn.mutate(passwordIn(event.currentTarget))
        }}
      >
        <EmailField email={email} setEmail={setEmail} />
        <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2">
          <div className="grid content-start gap-4">
            <Field
              label={texts.password}
              name="password"
              type="password"
              required
              autoComplete="current-password"
            />
            <ErrorOf thrown={signIn.error} />
            <Button type="submit" isBusy={signIn.isPending}>
              {texts.signIn}
            </Button>
            <OtherFormLink view="reset">{texts.forgot}</OtherFormLink>
          </div>
          <div className="grid content-start gap-4 border-hair max-sm:border-t max-sm:pt-5 sm:border-l sm:pl-8">
            <p className="text-soft">{texts.linkText}</p>
            <Button
              look="second"
              isBusy={mail.isPending}
              onClick={() => {
                const field = form.current?.elements.namedItem('email')
                if (field instanceof HTMLInputElement && !field.reportValidity()) return
                signIn.reset()
                mail.mutate(email.trim())
              }}
            >
              {texts.mailLink}
            </Button>
            <ErrorOf thrown={mail.error} />
            {mail.isSuccess ? <Notice>{texts.linkSent(mail.variables)}</Notice> : null}
            {mail.isSuccess ? <DemoMailbox /> : null}
          </div>
        </div>
        {captcha.field}
      </form>
      <PasskeyButton onIn={onIn} />
      <p className="flex w-full flex-wrap items-center gap-x-2 border-t border-hair pt-3">
        {texts.noAccount} <OtherFormLink view="register">{texts.titles.register}</OtherFormLink>
      </p>
    </>
  )
}

/** Signs in without a name or password; the browser knows which passkeys are for this site. */
function PasskeyButton({ onIn }: Pick<SignInForm, 'onIn'>) {
  const signIn = useAction({ mutationFn: signInByPasskey, onSuccess: onIn })
  if (!canUsePasskeys()) return null
  return (
    <div className="grid gap-3">
      <Button look="second" isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        {texts.passkey}
      </Button>
      <ErrorOf thrown={signIn.error} />
    </div>
  )
}
