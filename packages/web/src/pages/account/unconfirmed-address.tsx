import { mailSignInLink } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.unconfirmed

type Props = { email: string /** The page that the link opens. */; back: string }

/** Asks the account to confirm its email address. */
export function UnconfirmedAddress({ email, back }: Props) {
  const sending = useAction({ mutationFn: () => mailSignInLink({ email, redirect: back }) })
  return (
    <div className="grid justify-items-start gap-3 rounded-field bg-tint p-4">
      <p className="wrap-anywhere">{texts.text(email)}</p>
      <Button look="second" isBusy={sending.isPending} onClick={() => sending.mutate()}>
        {texts.send}
      </Button>
      {sending.isSuccess ? <Notice>{texts.sent}</Notice> : null}
      <ErrorOf thrown={sending.error} />
    </div>
  )
}
