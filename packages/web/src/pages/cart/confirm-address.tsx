import { useEffect, useRef } from 'react'
import { throughVisit } from '../../api/partner-visit.ts'
import { mailSignInLink } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { DemoMailbox } from '../../design/demo-mailbox.tsx'
import { Alert, ErrorOf, Notice } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { texts } from './texts.ts'

type Props = {
  email: string
  /** The error of a checkout with an unconfirmed address. */
  refusal: unknown
}

/** Asks the buyer to confirm the email address. */
export function ConfirmAddress({ email, refusal }: Props) {
  const box = useRef<HTMLElement>(null)
  const resend = useAction({
    mutationFn: () => {
      const redirect = throughVisit('/cart') ?? '/cart'
      return mailSignInLink({ email, redirect })
    },
  })
  useEffect(() => {
    if (refusal) box.current?.focus()
  }, [refusal])
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-labelledby="confirm-address"
      className="grid gap-3 rounded-field bg-tint p-4 outline-none focus:ring-2 focus:ring-main"
    >
      <h2 id="confirm-address" className="text-lg">
        {texts.confirmTitle}
      </h2>
      {refusal ? <Alert>{texts.unconfirmed}</Alert> : null}
      <p className="wrap-anywhere">{texts.confirmText(email)}</p>
      <DemoMailbox />
      <div>
        <Button look="second" isBusy={resend.isPending} onClick={() => resend.mutate()}>
          {texts.resend}
        </Button>
      </div>
      {resend.isSuccess ? <Notice>{texts.resent}</Notice> : null}
      <ErrorOf thrown={resend.error} />
    </section>
  )
}
