import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { addresses } from '../../../api/addresses.ts'
import { queries } from '../../../api/query-client.ts'
import { session } from '../../../api/session.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { CopyButton } from '../../../design/copy-button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { download } from '../../../design/download.ts'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field } from '../../../design/field.tsx'
import { Part } from '../../../design/section.tsx'
import { Unsaved } from '../../../design/unsaved.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { type Provider, turnOff, turnOffWithBackup } from './queries.ts'
import { SetUpApp, SetUpSms } from './set-up.tsx'
import { texts } from './texts.ts'

type Step = { at: 'rest' } | { at: 'set up'; provider: Provider } | { at: 'codes'; codes: string[] }

/** The state and settings of the second factor. */
export function SecondFactor() {
  const { data: account, error } = useQuery(accountQuery)
  const [step, setStep] = useState<Step>({ at: 'rest' })
  const rest = () => setStep({ at: 'rest' })
  const onOn = (codes: string[]) => setStep({ at: 'codes', codes })
  if (!account) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { user } = account
  const inForce = user.two_factor_auth ?? []
  const isOn = inForce.length > 0
  if (step.at === 'codes') return <BackupCodes codes={step.codes} onDone={rest} />
  if (step.at === 'set up') {
    const label = user.email ?? user.alternate_id ?? user.id
    return step.provider === 'AuthenticatorApp' ? (
      <SetUpApp label={label} onOn={onOn} onCancel={rest} />
    ) : (
      <SetUpSms user={user} onOn={onOn} onCancel={rest} />
    )
  }
  const offeredProviders = (['AuthenticatorApp', 'SMS'] as const).filter(
    (one) => !inForce.includes(one),
  )
  return (
    <Part
      title={texts.factor.title}
      text={isOn ? texts.factor.onText : texts.factor.offText}
      badge={
        <Badge tone={isOn ? 'good' : 'wrong'}>{isOn ? texts.factor.on : texts.factor.off}</Badge>
      }
    >
      {isOn ? (
        <ActiveFactors
          user={user}
          inForce={inForce}
          onAgain={(provider) => setStep({ at: 'set up', provider })}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        {offeredProviders.map((provider) => (
          <Button
            key={provider}
            look={provider === 'AuthenticatorApp' ? 'main' : 'second'}
            onClick={() => setStep({ at: 'set up', provider })}
          >
            {provider === 'SMS' ? texts.factor.useSms : texts.factor.useApp}
          </Button>
        ))}
      </div>
    </Part>
  )
}

const factorTexts = texts.factor

type Props = {
  user: { email: string | null; alternate_id: string | null }
  inForce: readonly Provider[]
  onAgain: (provider: Provider) => void
}

/** The enabled second factors, the default first. */
function ActiveFactors({ user, inForce, onAgain }: Props) {
  const [ending, setEnding] = useState<Provider>()
  const [isLost, setLost] = useState(false)
  return (
    <>
      <ul className="grid gap-3">
        {inForce.map((provider, nth) => (
          <li
            key={provider}
            className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-hair p-4"
          >
            <span className="flex flex-wrap items-center gap-3 font-semibold">
              {factorTexts.ways[provider]}
              <Badge tone="good">
                {inForce.length > 1 && nth === 0 ? factorTexts.first : factorTexts.inForce}
              </Badge>
            </span>
            <span className="flex flex-wrap gap-2">
              <Button look="second" onClick={() => onAgain(provider)}>
                {factorTexts.again}
                <span className="sr-only">: {factorTexts.ways[provider]}</span>
              </Button>
              <Button look="quiet" onClick={() => setEnding(provider)}>
                {factorTexts.turnOff}
                <span className="sr-only">: {factorTexts.ways[provider]}</span>
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Button look="quiet" className="-ml-3" onClick={() => setLost(true)}>
          {factorTexts.lost}
        </Button>
      </div>
      {ending ? (
        <ConfirmDialog
          title={factorTexts.confirmOff.title(factorTexts.ways[ending])}
          text={factorTexts.confirmOff.text}
          action={factorTexts.turnOff}
          isDangerous
          run={() => turnOff(ending)}
          onDone={() => announce(factorTexts.confirmOff.done)}
          onClose={() => setEnding(undefined)}
        />
      ) : null}
      {isLost ? <BackupDialog user={user} onClose={() => setLost(false)} /> : null}
    </>
  )
}

const withBackupTexts = texts.withBackup

type BackupDialogProps = {
  user: { email: string | null; alternate_id: string | null }
  onClose: () => void
}

/** Turns the second factor off with a backup code, for owners without their device. */
function BackupDialog({ user, onClose }: BackupDialogProps) {
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  return (
    <ConfirmDialog
      title={withBackupTexts.title}
      text={withBackupTexts.text}
      action={withBackupTexts.action}
      isDangerous
      run={async () => {
        await turnOffWithBackup(code.trim(), user)
        // The request revoked this session with all others.
        await session.end()
      }}
      onDone={() => {
        queries.clear()
        void navigate({ to: '/sign-in', search: { next: '/account/security' } })
      }}
      onClose={onClose}
    >
      <Field
        label={withBackupTexts.label}
        hint={withBackupTexts.hint}
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <a href={`${addresses.auth}/lost_factor`}>{withBackupTexts.none}</a>
    </ConfirmDialog>
  )
}

const backupTexts = texts.backup

type BackupCodesProps = { codes: readonly string[]; onDone: () => void }

/** Shows the codes once; they exist only in the memory of this page. */
function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const [isStored, setStored] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const text = codes.join('\n')
  // The form that had the focus is unmounted.
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} tabIndex={-1} className="printed-alone rounded-card outline-none">
      <Unsaved isUnsaved={!isStored} {...backupTexts.leave} />
      <Part title={backupTexts.title} text={backupTexts.on}>
        <ul
          aria-label={backupTexts.label}
          className="grid gap-x-8 gap-y-2 rounded-field border border-hair bg-ground p-4 font-mono text-sm sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code} className="wrap-anywhere">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 print:hidden">
          <CopyButton text={text} label={backupTexts.copy} />
          <Button
            look="second"
            onClick={() => download(`${backupTexts.head}\n\n${text}\n`, backupTexts.file)}
          >
            {backupTexts.download}
          </Button>
          <Button look="second" onClick={() => window.print()}>
            {backupTexts.print}
          </Button>
        </div>
        <div className="grid justify-items-start gap-2 print:hidden">
          <Checkbox
            label={backupTexts.stored}
            checked={isStored}
            onChange={({ currentTarget }) => setStored(currentTarget.checked)}
          />
          <Button disabled={!isStored} onClick={onDone}>
            {backupTexts.done}
          </Button>
        </div>
      </Part>
    </div>
  )
}
