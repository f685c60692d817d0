import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Part } from '../../../design/part.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { ActiveFactors } from './active-factors.tsx'
import { BackupCodes } from './backup-codes.tsx'
import type { Provider } from './queries.ts'
import { SetUpApp } from './set-up-app.tsx'
import { SetUpSms } from './set-up-sms.tsx'
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
