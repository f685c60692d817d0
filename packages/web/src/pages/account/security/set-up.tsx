import { useEffect, useRef } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { sendSmsCode } from '../../../api/sign-in.ts'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { QrCode } from '../../../design/qr-code.tsx'
import { Part } from '../../../design/section.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { confirmFactor, otpauthUri, prepareFactor } from './queries.ts'
import { texts } from './texts.ts'

type Props = { label: string; onOn: (codes: string[]) => void; onCancel: () => void }

export function SetUpApp({ label, onOn, onCancel }: Props) {
  const prepareMutation = useAction({ mutationFn: () => prepareFactor('AuthenticatorApp') })
  const isAsked = useRef(false)
  const { mutate } = prepareMutation
  useEffect(() => {
    // Each request creates a new secret: send it once, even if effects run twice.
    if (isAsked.current) return
    isAsked.current = true
    mutate()
  }, [mutate])
  const { data, error } = prepareMutation
  return (
    <Part title={texts.app.title}>
      {data ? (
        <ol className="grid gap-6">
          <li className="grid gap-4">
            <Step nth={1} title={texts.app.scan} text={texts.app.scanText} />
            <div className="grid grid-cols-1 items-center gap-5 sm:grid-cols-[auto_minmax(0,1fr)]">
              <QrCode text={otpauthUri(data.ga_secret ?? '', label)} label={texts.app.qr} />
              <div className="grid justify-items-start gap-3">
                <ShownText label={texts.app.secret} text={inGroups(data.ga_secret ?? '')} />
                <CopyButton text={data.ga_secret ?? ''} label={texts.app.copySecret} />
              </div>
            </div>
          </li>
          <li className="grid gap-4">
            <Step nth={2} title={texts.app.confirm} />
            <ConfirmCode onOn={() => onOn(data.backup_codes ?? [])} onCancel={onCancel} />
          </li>
        </ol>
      ) : error ? (
        <>
          <ErrorOf thrown={error} />
          <div>
            <Button look="second" onClick={onCancel}>
              {texts.cancel}
            </Button>
          </div>
        </>
      ) : (
        <Waiting />
      )}
    </Part>
  )
}

/** Groups of four letters are easier to type. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ')

const Step = ({ nth, title, text }: { nth: number; title: string; text?: string }) => (
  <div className="flex gap-3">
    <span
      aria-hidden="true"
      className="grid size-7 shrink-0 place-items-center rounded-full bg-main text-sm font-bold text-on-main"
    >
      {nth}
    </span>
    <div className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      {text ? <p className="text-soft">{text}</p> : null}
    </div>
  </div>
)

type SetUpSmsProps = {
  user: { email: string | null; email_verified_at: string | null }
  onOn: (codes: string[]) => void
  onCancel: () => void
}

export function SetUpSms({ user, onOn, onCancel }: SetUpSmsProps) {
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

type ConfirmCodeProps = { onOn: () => void; onCancel: () => void }

/** The first valid code enables a new second factor. */
function ConfirmCode({ onOn, onCancel }: ConfirmCodeProps) {
  const confirmMutation = useAction({ mutationFn: confirmFactor, onSuccess: onOn })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirmMutation.mutate(valueIn(event.currentTarget, 'code'))
      }}
    >
      <Field
        className="max-w-xs"
        label={texts.code}
        hint={texts.codeHint}
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        problem={confirmMutation.error ? asProblem(confirmMutation.error).message : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={confirmMutation.isPending}>
          {texts.turnOn}
        </Button>
        <Button look="second" disabled={confirmMutation.isPending} onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
