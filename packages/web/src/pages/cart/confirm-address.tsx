import { useMutation } from '@tanstack/react-query'
import { api, told } from '../../api/client.ts'
import { throughVisit } from '../../api/partner-visit.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf, Notice } from '../../design/feedback.tsx'
import { texts } from '../../texts/en.ts'

/** Who has not shown that the mailbox is theirs: what to do about it. */
export function ConfirmAddress({ email }: { email: string }) {
  const resend = useMutation({
    mutationFn: () => {
      const redirect = throughVisit('/cart') ?? '/cart'
      return told(api.POST('/auth/magic_link', { body: { email, redirect } }))
    },
  })
  return (
    <div role="alert" className="grid gap-3 rounded-field bg-tint p-4">
      <h2 className="text-lg">{texts.cart.confirmTitle}</h2>
      <p className="wrap-anywhere">{texts.cart.confirmText(email)}</p>
      <div>
        <Button look="second" isBusy={resend.isPending} onClick={() => resend.mutate()}>
          {texts.cart.resend}
        </Button>
      </div>
      {resend.isSuccess ? <Notice>{texts.cart.resent}</Notice> : null}
      <ErrorOf thrown={resend.error} />
    </div>
  )
}
