import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { takeUnrequestedLink, type UnrequestedLink } from '../../api/arrival.ts'
import type { Progress } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { Alert, Card } from '../../design/feedback.tsx'
import { useOwing, useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { useKnownEmail, useSignInSearch } from './address.ts'
import { LinkedCard } from './linked-card.tsx'
import { MailForm } from './mail-form.tsx'
import { OtherLogin } from './other-login.tsx'
import { OwedCode } from './owed-code.tsx'
import { PasswordForm } from './password-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { texts } from './texts.ts'
import { useContinue } from './use-continue.ts'
import { WantedId } from './wanted-id.tsx'

export function SignInPage() {
  const state = useSession()
  /** The state before this page signed anyone in. */
  const [before, setBefore] = useState(state)
  if (before === 'asking' && state !== 'asking') setBefore(state)
  const { view = 'password', gone, next } = useSignInSearch()
  const owed = useOwing()
  /** Stays until the page redirects after the code. */
  const [owing, setOwing] = useState(owed)
  if (owed !== owing && state !== 'in') setOwing(owed)
  const [isGiving, setGiving] = useState(false)
  const [unrequestedLink, setUnrequestedLink] = useState<UnrequestedLink | undefined>(
    takeUnrequestedLink,
  )
  const [email, setEmail] = useState(useKnownEmail())
  const goOn = useContinue()
  const step = owing ? 'code' : view
  useTitle(texts.titles[step])
  if (state === 'asking') return <Waiting />
  /** Continues after the sign-in, or asks for the code. */
  const onIn = (progress: Progress) => {
    setUnrequestedLink(undefined)
    if (progress === 'in') goOn()
  }
  if (unrequestedLink) {
    return (
      <LinkedCard
        linked={unrequestedLink}
        onIn={onIn}
        onDeclined={() => setUnrequestedLink(undefined)}
      />
    )
  }
  // The code may have been entered in another window.
  if (before === 'in' || (state === 'in' && owing && !isGiving))
    return <SignedInNotice goOn={goOn} />
  const formProps = { email, setEmail, onIn }
  return (
    <Card className={`mx-auto grid w-full gap-5 ${step === 'password' ? 'max-w-2xl' : 'max-w-md'}`}>
      <div className="grid gap-1.5">
        <h1>{texts.titles[step]}</h1>
        <p className="text-soft">{texts.intros[step]}</p>
      </div>
      <WantedId next={next} />
      {gone ? <Alert>{texts.linkGone}</Alert> : null}
      {owing ? <OwedCode owing={owing} setGiving={setGiving} onGiven={goOn} /> : null}
      {step === 'password' ? <OtherLogin onIn={onIn} /> : null}
      {step === 'password' ? <PasswordForm {...formProps} /> : null}
      {step === 'register' ? <RegisterForm {...formProps} /> : null}
      {step === 'link' || step === 'reset' ? (
        <MailForm key={step} kind={step} {...formProps} />
      ) : null}
    </Card>
  )
}

function SignedInNotice({ goOn }: { goOn: () => void }) {
  const { data } = useQuery(accountQuery)
  const name = data?.user.email ?? data?.user.alternate_id ?? ''
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{texts.titles.password}</h1>
      <p className="wrap-anywhere text-soft">{texts.already(name)}</p>
      <Button onClick={goOn}>{texts.goOn}</Button>
    </Card>
  )
}
