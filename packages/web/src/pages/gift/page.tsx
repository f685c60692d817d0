import { spokenNames, textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../api/account.ts'
import { giftLinks } from '../../api/gift-links.ts'
import { asProblem } from '../../api/problem.ts'
import { recordsQuery } from '../../api/records.ts'
import { session } from '../../api/session.ts'
import { Button, buttonLook } from '../../design/button.tsx'
import { ConfirmDialog } from '../../design/dialog.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { Field, passwordIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { Waiting } from '../../design/waiting.tsx'
import { isPayment } from '../../records/names.ts'
import { TokenStays, TransferRecords } from '../account/transfers/transfer-records.tsx'
import { readGift, takeGiftToken } from './address.ts'
import { acceptGift, declineGift, type Gift, joinByGift, openGift } from './queries.ts'
import { texts } from './texts.ts'

type Outcome = 'accepted' | 'declined'

/** Shows an offered id to the holder of its emailed link. */
export function GiftPage() {
  useTitle(texts.title)
  const { offer } = readGift(useSearch({ from: '/gift' }))
  const navigate = useNavigate()
  const [token] = useState(() => takeGiftToken() ?? (offer && giftLinks.find(offer)))
  const [outcome, setOutcome] = useState<Outcome>()
  const { data, error } = useQuery({
    queryKey: ['gift', token],
    queryFn: async () => {
      const gift = await openGift(token ?? '')
      // A reload, or a return from the sign-in, opens the same offer.
      void navigate({ to: '/gift', search: { offer: gift.transfer_id }, replace: true })
      return gift
    },
    enabled: token !== undefined && outcome === undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const state = useSession()
  if (!token) return <Unopened />
  if (data && outcome) return <Outcome gift={data} outcome={outcome} />
  if (error) return asProblem(error).code === 'expired_link' ? <Gone /> : <ErrorOf thrown={error} />
  if (!data || state === 'asking') return <Waiting />
  return (
    <Card className="mx-auto grid w-full max-w-lg gap-5">
      <Offer gift={data} />
      <Answer gift={data} isIn={state === 'in'} onDone={setOutcome} />
    </Card>
  )
}

const Offer = ({ gift }: { gift: Gift }) => (
  <>
    <h1>{gift.is_for_organization ? texts.forOrganization : texts.title}</h1>
    <div className="grid justify-items-center gap-2 rounded-card bg-tint px-4 py-6">
      <EmojiId id={gift.eid} size="large" />
      <span aria-hidden="true" className="text-soft">
        {spokenNames(gift.eid)}
      </span>
    </div>
    <p className="grid gap-1 wrap-anywhere">
      <strong>{gift.sender ? texts.from(gift.sender) : texts.unknown}</strong>
      <span className="text-soft">{texts.to(gift.email)}</span>
    </p>
    {gift.message ? (
      <blockquote
        aria-label={texts.message}
        className="border-l-4 border-line pl-4 wrap-anywhere whitespace-pre-line"
      >
        {gift.message}
      </blockquote>
    ) : null}
    <section aria-label={texts.contents} className="grid gap-2">
      <h2 className="text-base">{texts.contents}</h2>
      <TransferRecords transfer={gift} />
    </section>
    {gift.is_new ? <p className="text-soft">{texts.about}</p> : null}
  </>
)

type AnswerProps = { gift: Gift; isIn: boolean; onDone: (outcome: Outcome) => void }

function Answer({ gift, isIn, onDone }: AnswerProps) {
  const { data: account } = useQuery({ ...accountQuery, enabled: isIn })
  const [isDeclining, setDeclining] = useState(false)
  const [change, setChange] = useState<string>()
  const accept = async () => {
    setChange(undefined)
    try {
      await acceptGift(gift)
    } catch (error) {
      // After a first password this form is replaced by another one, which shows the same notice.
      const { code, message } = asProblem(error)
      if (code !== 'changed_records') throw error
      setChange(message)
      return
    }
    onDone('accepted')
  }
  const decline = (
    <Button look="quiet" onClick={() => setDeclining(true)}>
      {texts.decline}
    </Button>
  )
  const isTheirs = account?.user.id === gift.user_id
  if (isIn && !account) return <Waiting />
  return (
    <div className="grid gap-4 border-t border-hair pt-4">
      {change ? <Alert>{change}</Alert> : null}
      {isIn && isTheirs ? (
        <Accept gift={gift} accept={accept} decline={decline} />
      ) : isIn ? (
        <OtherAccount
          gift={gift}
          name={account?.user.email ?? account?.user.alternate_id ?? ''}
          decline={decline}
        />
      ) : gift.is_new ? (
        <Join gift={gift} accept={accept} decline={decline} />
      ) : (
        <>
          <p className="wrap-anywhere text-soft">{texts.signInText(gift.email)}</p>
          <div className="flex flex-wrap gap-3">
            <Link
              to="/sign-in"
              search={{ next: `/gift?offer=${gift.transfer_id}` }}
              state={{ email: gift.email }}
              className={buttonLook()}
            >
              {texts.signIn}
            </Link>
            {decline}
          </div>
        </>
      )}
      {isDeclining ? (
        <ConfirmDialog
          title={texts.confirmDecline}
          text={texts.confirmDeclineText}
          action={texts.decline}
          isDangerous
          run={() => declineGift(gift.transfer_id)}
          onDone={() => onDone('declined')}
          onClose={() => setDeclining(false)}
        />
      ) : null}
    </div>
  )
}

type StepProps = { gift: Gift; decline: React.ReactNode; accept: () => Promise<void> }

function Accept({ gift, decline, accept }: StepProps) {
  const acceptMutation = useAction({ mutationFn: accept })
  const problem = acceptMutation.error ? asProblem(acceptMutation.error) : undefined
  // Another email voided the link of this page.
  if (problem?.code === 'late_code') return <Gone />
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        acceptMutation.mutate()
      }}
    >
      {gift.token_stays ? <TokenStays /> : null}
      <ErrorOf thrown={problem} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={acceptMutation.isPending}>
          {texts.accept}
        </Button>
        {decline}
      </div>
    </form>
  )
}

function Join({ gift, decline, accept }: StepProps) {
  const joinMutation = useAction({
    mutationFn: async (password: string) => {
      await joinByGift(gift, password)
      await accept()
    },
  })
  const problem = joinMutation.error ? asProblem(joinMutation.error) : undefined
  const inField = problem?.in('password')
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        joinMutation.mutate(passwordIn(event.currentTarget))
      }}
    >
      <p className="text-soft">{texts.joinText}</p>
      <input
        type="text"
        name="username"
        value={gift.email}
        autoComplete="username"
        hidden
        readOnly
      />
      <Field
        label={texts.password}
        hint={texts.passwordHint(textLengths.password.minLength)}
        name="password"
        type="password"
        required
        {...textLengths.password}
        autoComplete="new-password"
        problem={inField}
      />
      {gift.token_stays ? <TokenStays /> : null}
      <ErrorOf thrown={inField ? undefined : problem} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={joinMutation.isPending}>
          {texts.join}
        </Button>
        {decline}
      </div>
    </form>
  )
}

type OtherProps = { gift: Gift; name: string; decline: React.ReactNode }

function OtherAccount({ gift, name, decline }: OtherProps) {
  const signOutMutation = useAction({
    mutationFn: async () => {
      const token = giftLinks.find(gift.transfer_id)
      await session.end()
      // The sign-out removes the links; the recipient signs in next and needs this one.
      if (token) giftLinks.keep(gift, token)
    },
  })
  return (
    <>
      <Alert>
        <span className="wrap-anywhere">{texts.otherAccount(name, gift.email)}</span>
      </Alert>
      <ErrorOf thrown={signOutMutation.error} />
      <div className="flex flex-wrap gap-3">
        <Button isBusy={signOutMutation.isPending} onClick={() => signOutMutation.mutate()}>
          {texts.change}
        </Button>
        {decline}
      </div>
    </>
  )
}

function Outcome({ gift, outcome }: { gift: Gift; outcome: Outcome }) {
  const isAccepted = outcome === 'accepted'
  const { data: records = [] } = useQuery({
    ...recordsQuery(gift.eid),
    enabled: isAccepted && !gift.clear_on_transfer,
  })
  const hasAddresses = isAccepted && !gift.clear_on_transfer && records.some(isPayment)
  const title = gift.is_for_organization ? texts.acceptedOrganization : texts.accepted
  return (
    <Card className="mx-auto grid w-full max-w-lg justify-items-start gap-4">
      <h1>{isAccepted ? title : texts.declined}</h1>
      <EmojiId id={gift.eid} size="large" />
      <p role="status" className="text-soft">
        {isAccepted
          ? hasAddresses
            ? texts.acceptedAddresses
            : texts.acceptedText
          : texts.declinedText}
      </p>
      {hasAddresses ? <TransferRecords transfer={gift} /> : null}
      {isAccepted ? (
        <Link to="/account/ids/$id" params={{ id: gift.eid }} className={buttonLook()}>
          {hasAddresses ? texts.manageAddresses : texts.manage}
        </Link>
      ) : (
        <Link to="/" className={buttonLook('second')}>
          {texts.toStart}
        </Link>
      )}
    </Card>
  )
}

/** This browser has not opened a link, or another browser did. */
const Unopened = () => <NoOffer text={texts.unopened} hint={texts.unopenedText} />

const Gone = () => <NoOffer text={texts.gone} hint={texts.goneText} />

const NoOffer = ({ text, hint }: { text: string; hint: string }) => (
  <Card className="mx-auto grid w-full max-w-md justify-items-start gap-4">
    <h1>{texts.title}</h1>
    <p>{text}</p>
    <p className="text-soft">{hint}</p>
    <Link to="/account/transfers" className={buttonLook()}>
      {texts.toTransfers}
    </Link>
  </Card>
)
