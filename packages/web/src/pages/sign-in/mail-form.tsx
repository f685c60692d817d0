import { useMutation } from '@tanstack/react-query'
import { api, told } from '../../api/client.ts'
import { throughVisit } from '../../api/partner-visit.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { texts } from '../../texts/en.ts'
import { useSignInSearch } from './address.ts'
import { EmailField, type Known, OtherWay } from './form-parts.tsx'

type Props = Known & { kind: 'link' | 'reset' }

/** Has a link mailed: to sign in with, or to choose a new password. */
export function MailForm({ kind, email, setEmail }: Props) {
  const redirect = throughVisit(useSignInSearch().next)
  const mail = useMutation({
    mutationFn: (to: string) =>
      kind === 'reset'
        ? told(api.POST('/auth/password_reset', { body: { email: to } }))
        : told(
            api.POST('/auth/magic_link', { body: { email: to, ...(redirect && { redirect }) } }),
          ),
  })
  const sent = kind === 'reset' ? texts.signIn.resetSent : texts.signIn.linkSent
  return (
    <>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          mail.mutate(email.trim())
        }}
      >
        <EmailField email={email} setEmail={setEmail} />
        <ErrorOf thrown={mail.error} />
        {mail.isSuccess ? <Notice>{sent(mail.variables)}</Notice> : null}
        <Button type="submit" isBusy={mail.isPending}>
          {kind === 'reset' ? texts.signIn.mailReset : texts.signIn.mailLink}
        </Button>
      </form>
      <p className="border-t border-hair pt-3">
        <OtherWay view={undefined}>{texts.signIn.usePassword}</OtherWay>
      </p>
    </>
  )
}
