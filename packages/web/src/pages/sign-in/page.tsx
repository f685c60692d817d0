import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { owingAtArrival, takeUnsure, type Unsure } from '../../api/arrival.ts'
import { giveCode, type Owing, sendSmsCode } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { CodeForm } from '../../design/code-form.tsx'
import { Alert, Card } from '../../design/feedback.tsx'
import { useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts } from '../../texts/en.ts'
import { useSignInSearch } from './address.ts'
import { LinkedCard } from './linked-card.tsx'
import { MailForm } from './mail-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { useGoOn } from './use-go-on.ts'

export function SignInPage() {
  const state = useSession()
  /** Not who comes in here, but who was in before. */
  const [before, setBefore] = useState(state)
  if (before === 'asking' && state !== 'asking') setBefore(state)
  const { view = 'password', gone } = useSignInSearch()
  const [owing, setOwing] = useState<Owing | undefined>(owingAtArrival)
  const [linked, setLinked] = useState<Unsure | undefined>(takeUnsure)
  const [email, setEmail] = useState('')
  const goOn = useGoOn()
  const step = owing ? 'code' : view
  useTitle(texts.signIn.titles[step])
  if (state === 'asking') return <Waiting />
  if (linked) {
    const onIn = (left: Owing | undefined) => {
      setLinked(undefined)
      if (left) setOwing(left)
      else goOn()
    }
    return <LinkedCard linked={linked} onIn={onIn} onDeclined={() => setLinked(undefined)} />
  }
  if (before === 'in') return <AlreadyIn goOn={goOn} />
  /** Whoever got in goes on; whoever owes a code is asked for it. */
  const onIn = (left: Owing | undefined) => (left ? setOwing(left) : goOn())
  const known = { email, setEmail, onIn }
  return (
    <Card className="mx-auto grid w-full max-w-md gap-5">
      <div className="grid gap-1.5">
        <h1>{texts.signIn.titles[step]}</h1>
        <p className="text-soft">{texts.signIn.intros[step]}</p>
      </div>
      {gone ? <Alert>{texts.signIn.linkGone}</Alert> : null}
      {owing ? (
        <CodeForm
          provider={owing.provider}
          give={(code) => giveCode(owing, code)}
          send={() => sendSmsCode(owing)}
          onGiven={onIn}
        />
      ) : null}
      {step === 'password' ? <PasswordForm {...known} /> : null}
      {step === 'register' ? <RegisterForm {...known} /> : null}
      {step === 'link' || step === 'reset' ? <MailForm key={step} kind={step} {...known} /> : null}
    </Card>
  )
}

function AlreadyIn({ goOn }: { goOn: () => void }) {
  const { data } = useQuery(accountQuery)
  const name = data?.user.email ?? data?.user.alternate_id ?? ''
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{texts.signIn.titles.password}</h1>
      <p className="wrap-anywhere text-soft">{texts.signIn.already(name)}</p>
      <Button onClick={goOn}>{texts.signIn.goOn}</Button>
    </Card>
  )
}
