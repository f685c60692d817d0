import { useEffect, useRef } from 'react'
import { Button } from '../../../design/button.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { QrCode } from '../../../design/qr-code.tsx'
import { ShownText } from '../../../design/shown-text.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { ConfirmCode } from './confirm-code.tsx'
import { otpauthUri, prepareFactor } from './queries.ts'
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
