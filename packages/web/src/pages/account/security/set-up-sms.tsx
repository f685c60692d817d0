import { asProblem } from '../../../api/problem.ts'
import { prepareFactor } from '../../../api/security.ts'
import { sendSmsCode } from '../../../api/sign-in.ts'
import { Button } from '../../../design/button.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { accountTexts } from '../../../texts/en-account.ts'
import { ConfirmCode } from './confirm-code.tsx'

const texts = accountTexts.security

type Props = { onOn: (codes: string[]) => void; onCancel: () => void }

export function SetUpSms({ onOn, onCancel }: Props) {
  const preparing = useAction({
    mutationFn: (phone: string) => prepareFactor('SMS', phone.replaceAll(/[\s()-]/g, '')),
  })
  const { data } = preparing
  return (
    <Part title={texts.sms.title} text={texts.sms.text}>
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
            preparing.mutate(valueIn(event.currentTarget, 'phone'))
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
            problem={preparing.error ? asProblem(preparing.error).message : undefined}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" isBusy={preparing.isPending}>
              {texts.sms.send}
            </Button>
            <Button look="second" disabled={preparing.isPending} onClick={onCancel}>
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
