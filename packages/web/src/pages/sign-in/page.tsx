import { type EmojiId as Id, parseTonedEmojiId } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { addresses } from '../../api/addresses.ts'
import { takeUnrequestedLink, type UnrequestedLink } from '../../api/arrival.ts'
import { searchOf } from '../../api/search.ts'
import { type PendingSignIn, session } from '../../api/session.ts'
import { continueSignIn, giveOwedCode, type Progress, sendSmsCode } from '../../api/sign-in.ts'
import { Button } from '../../design/button.tsx'
import { CodeForm } from '../../design/code-form.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { Money } from '../../design/money.tsx'
import { useAction } from '../../design/use-action.ts'
import { useOwing, useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { useFees } from '../../design/whole-price.tsx'
import { useKnownEmail, useSignInSearch } from './address.ts'
import { OtherFormLink, type SignInForm } from './form-parts.tsx'
import { LinkRequest } from './link-request.tsx'
import { PasswordForm } from './password-form.tsx'
import { continueOtherLogin, otherLoginQuery } from './queries.ts'
import { RegisterForm } from './register-form.tsx'
import { texts } from './texts.ts'

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

/** Continues to the page that required the sign-in. */
function useContinue(): () => void {
  const router = useRouter()
  const { next = '/' } = useSignInSearch()
  return () => router.history.replace(next)
}

type Props = {
  linked: UnrequestedLink
  onIn: (progress: Progress) => void
  onDeclined: () => void
}

/** Login CSRF: a link that this browser did not request needs a confirmation. */
function LinkedCard({ linked, onIn, onDeclined }: Props) {
  const { linked: words, titles } = texts
  useTitle(titles.password)
  const isIn = useSession() === 'in'
  const { data } = useQuery({ ...accountQuery, enabled: isIn })
  const present = data?.user.email ?? data?.user.alternate_id
  const enter = useAction({ mutationFn: () => continueSignIn(linked.tokens), onSuccess: onIn })
  return (
    <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
      <h1>{titles.password}</h1>
      <p className="wrap-anywhere">
        <span className="block text-soft">{words.text}</span>
        <strong className="text-xl">{linked.name}</strong>
      </p>
      <p className="wrap-anywhere text-soft">{present ? words.instead(present) : words.whose}</p>
      <ErrorOf thrown={enter.error} />
      <div className="flex flex-wrap gap-3">
        <Button isBusy={enter.isPending} onClick={() => enter.mutate()}>
          {words.yes}
        </Button>
        <Button look="quiet" onClick={onDeclined}>
          {words.no}
        </Button>
      </div>
    </Card>
  )
}

type OwedCodeProps = {
  owing: PendingSignIn
  setGiving: (isGiving: boolean) => void
  onGiven: () => void
}

/** Asks for the code of a pending sign-in; the visitor can start over. */
function OwedCode({ owing, setGiving, onGiven }: OwedCodeProps) {
  const give = async (code: string) => {
    setGiving(true)
    await giveOwedCode(code).catch((error) => {
      setGiving(false)
      throw error
    })
  }
  const startOver = useAction({ mutationFn: session.startOver })
  return (
    <>
      {owing.name ? <p className="wrap-anywhere text-soft">{texts.owing(owing.name)}</p> : null}
      <CodeForm
        provider={owing.provider}
        give={give}
        send={() => sendSmsCode(owing)}
        onGiven={onGiven}
      >
        <Button look="second" isBusy={startOver.isPending} onClick={() => startOver.mutate()}>
          {texts.startOver}
        </Button>
      </CodeForm>
      <ErrorOf thrown={startOver.error} />
      <p>
        <a href={`${addresses.auth}/lost_factor`}>{texts.lostDevice}</a>
      </p>
    </>
  )
}

type MailFormProps = SignInForm & { kind: 'link' | 'reset' }

/** Signs in by emailed link. */
function MailForm({ kind, email, setEmail }: MailFormProps) {
  const { next } = useSignInSearch()
  return (
    <>
      <LinkRequest kind={kind} next={next} email={email} setEmail={setEmail} />
      <p className="border-t border-hair pt-3">
        <OtherFormLink view={undefined}>{texts.usePassword}</OtherFormLink>
      </p>
    </>
  )
}

/** For a browser that is signed in where applications ask for an emoji id: one press is enough. */
function OtherLogin({ onIn }: Pick<SignInForm, 'onIn'>) {
  const { data: name } = useQuery(otherLoginQuery)
  const enter = useAction({ mutationFn: continueOtherLogin, onSuccess: () => onIn('in') })
  if (!name) return null
  return (
    <div className="grid justify-items-start gap-3 rounded-card bg-tint p-4">
      <p className="wrap-anywhere">{texts.other.text(name)}</p>
      <Button isBusy={enter.isPending} onClick={() => enter.mutate()}>
        {texts.other.action}
      </Button>
      <ErrorOf thrown={enter.error} />
    </div>
  )
}

/** The id that the visitor is about to get, as the next page names it. */
function readWanted(next: string | undefined): { text: string; id: Id } | undefined {
  if (!next?.startsWith('/cart?')) return undefined
  const text = new URLSearchParams(next.slice('/cart?'.length)).get('add') ?? ''
  try {
    return { text, id: parseTonedEmojiId(text).id }
  } catch {
    return undefined
  }
}

/** Shows the chosen id and its current price until the visitor has an account. */
function WantedId({ next }: { next: string | undefined }) {
  const offer = readWanted(next)
  const { data } = useQuery(searchOf(offer?.id))
  const { feesOn } = useFees()
  if (!offer) return null
  const price = data?.result.availability === 'Available' ? data.result.price : null
  return (
    <section
      aria-label={texts.wanted.label}
      className="flex flex-wrap items-center justify-between gap-3 rounded-2xl bg-tint px-4 py-3"
    >
      <EmojiId id={offer.text} />
      {price === null ? null : (
        <strong className="text-xl">
          <Money cents={price + feesOn(price)} />
        </strong>
      )}
      <p className="w-full text-sm text-soft">{texts.wanted.text}</p>
    </section>
  )
}
