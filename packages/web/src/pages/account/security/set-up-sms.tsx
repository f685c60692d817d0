import { asProblem } from '../../../api/problem.ts'
import { sendSmsCode } from '../../../api/sign-in.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { ConfirmCode } from './confirm-code.tsx'
import { prepareFactor } from './queries.ts'
import { texts } from './texts.ts'

type Props = {
  user: { email: string | null; email_verified_at: string | null }
  onOn: (codes: string[]) => void
  onCancel: () => void
}

export function SetUpSms({ user, onOn, onCancel }: Props) {
  const { email, email_verified_at } = user
  const prepareMutation = useAction({
    mutationFn: (phone: string) => prepareFactor('SMS', phone.replaceAll(/[\s()-]/g, '')),
  })
  const { data, error } = prepareMutation
  const problem = error ? asProblem(error) : undefined
  const phoneProblem =
    problem?.code === 'invalid_phone_number' ? problem.message : problem?.in('phone')
  return (
    <Part title={texts.sms.title} text={texts.sms.text}>
      {email && !email_verified_at ? (
        <UnconfirmedAddress email={email} back="/account/security" />
      ) : null}
      {data ? (
        <>
          <Notice>{texts.sms.sent(data.phone_last_digits ?? '')}</Notice>
          <ConfirmCode onOn={() => onOn(data.backup_codes ?? [])} onCancel={onCancel} />
          <SendAgain />
        </>
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            prepareMutation.mutate(valueIn(event.currentTarget, 'phone'))
          }}
        >
          <Field
            className="max-w-xs"
            label={texts.sms.phone}
            hint={texts.sms.phoneHint}
            name="phone"
            type="tel"
            required
            autoComplete="tel"
            problem={phoneProblem}
          />
          <ErrorOf thrown={phoneProblem ? undefined : error} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" isBusy={prepareMutation.isPending}>
              {texts.sms.send}
            </Button>
            <Button look="second" disabled={prepareMutation.isPending} onClick={onCancel}>
              {texts.cancel}
            </Button>
          </div>
        </form>
      )}
    </Part>
  )
}

function SendAgain() {
  const sending = useAction({ mutationFn: () => sendSmsCode() })
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        look="quiet"
        className="-ml-3"
        isBusy={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {texts.sms.again}
      </Button>
      {sending.data ? (
        <Notice>{texts.sms.sent(sending.data.phone_last_digits ?? '')}</Notice>
      ) : null}
      <ErrorOf thrown={sending.error} />
    </div>
  )
}
