import { requestedLinks } from '../../api/browser-notes.ts'
import { throughVisit } from '../../api/partner-visit.ts'
import { mailSignInLink } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { useCaptcha } from '../../design/captcha.tsx'
import { DemoMailbox } from '../../design/demo-mailbox.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { EmailField, type SignInForm, useServedForm } from './form-parts.tsx'
import { mailResetLink } from './queries.ts'
import { texts } from './texts.ts'

type Props = Omit<SignInForm, 'onIn'> & {
  kind: 'link' | 'reset'
  /** The page that a sign-in link opens. */
  next: string | undefined
}

/** Emails a link to sign in or to choose a new password. */
export function LinkRequest({ kind, next, email, setEmail }: Props) {
  const form = useServedForm(setEmail)
  const captcha = useCaptcha()
  const mail = useAction({
    mutationFn: (to: string) =>
      captcha.solved((solution) => {
        const body = { email: to, ...solution }
        if (kind === 'reset') return mailResetLink(body)
        requestedLinks.note(to)
        const redirect = throughVisit(next)
        return mailSignInLink({ ...body, ...(redirect && { redirect }) })
      }),
  })
  const sentText = kind === 'reset' ? texts.resetSent : texts.linkSent
  return (
    <form
      ref={form}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        mail.mutate(email.trim())
      }}
    >
      <EmailField email={email} setEmail={setEmail} />
      {captcha.field}
      <ErrorOf thrown={mail.error} />
      {mail.isSuccess ? <Notice>{sentText(mail.variables)}</Notice> : null}
      {mail.isSuccess ? <DemoMailbox /> : null}
      <Button type="submit" isBusy={mail.isPending}>
        {kind === 'reset' ? texts.mailReset : texts.mailLink}
      </Button>
    </form>
  )
}
