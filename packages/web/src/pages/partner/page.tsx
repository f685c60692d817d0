import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { type Flow, partnerVisit } from '../../api/partner-visit.ts'
import { type Branding, brandingQuery } from '../../api/partners.ts'
import { asProblem } from '../../api/problem.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { useGreeting, useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { LinkRequest } from '../sign-in/link-request.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { ConfirmedAccount, SentAccount } from './account.tsx'
import { usePartnerSearch } from './address.ts'
import { AddressReview } from './address-review.tsx'
import { BrandTop } from './brand.tsx'
import { GoBack } from './go-back.tsx'
import { ManageIds } from './manage-ids.tsx'
import { ownId, readId } from './own-id.ts'
import { ownIdsQuery } from './queries.ts'
import { FlowSteps, StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

export const CreatePage = () => <PartnerPage flow="create" />
export const ConnectPage = () => <PartnerPage flow="connect" />
export const ManagePage = () => <PartnerPage flow="manage" />

const steps = { create: FindId, connect: ChooseId, manage: ManageIds }

function PartnerPage({ flow }: { flow: Flow }) {
  const { path = '' } = useParams({ strict: false })
  const { next } = usePartnerSearch()
  const { history } = useRouter()
  const { data: branding, error } = useQuery(brandingQuery(path))
  const isUnknown = error !== null && asProblem(error).status === 404
  useTitle(isUnknown ? texts.unknown.title : texts.titles[flow])
  useEffect(() => {
    if (isUnknown) return partnerVisit.change({ isOver: true })
    partnerVisit.ensure(path, flow)
    if (next) history.replace(next)
  }, [path, flow, next, history, isUnknown])
  if (error) return isUnknown ? <UnknownPartner path={path} /> : <ErrorOf thrown={error} />
  if (!branding || next) return <Waiting />
  return (
    <BrandedPage flow={flow} branding={branding}>
      <Steps flow={flow} branding={branding} path={path} />
    </BrandedPage>
  )
}

type StepProps = { flow: Flow; branding: Branding; path: string }

function Steps({ flow, branding, path }: StepProps) {
  const state = useSession()
  const isGreeting = useGreeting()
  const visit = useLastVisit()
  const Step = steps[flow]
  if (state === 'asking' || isGreeting) return <Waiting />
  // Confirm the partner's account before the signed-in one.
  if (visit?.sentAs) return <SentAccount visit={visit} name={branding.name} />
  if (state === 'out') return <SignedOutStart flow={flow} branding={branding} path={path} />
  return (
    <ConfirmedAccount flow={flow} branding={branding} path={path}>
      <Step branding={branding} path={path} />
    </ConfirmedAccount>
  )
}

type BrandedPageProps = { flow: Flow; branding: Branding; children: ReactNode }

const BrandedPage = ({ flow, branding, children }: BrandedPageProps) => (
  <div className="mx-auto grid max-w-2xl gap-6">
    <BrandTop flow={flow} branding={branding} />
    {children}
  </div>
)

const UnknownPartner = ({ path }: { path: string }) => (
  <div className="grid justify-items-start gap-4">
    <h1>{texts.unknown.title}</h1>
    <p className="max-w-xl wrap-anywhere">{texts.unknown.text(path)}</p>
    <Link to="/" className={buttonLook()}>
      {sharedTexts.notFound.home}
    </Link>
  </div>
)

type Props = { flow: Flow; branding: Branding; path: string }

/** A visitor who signs in here needs no confirmation. */
const signsInHere = () => {
  partnerVisit.forgetRefusal()
  partnerVisit.change({ signsInHere: true })
}

/** The start for signed-out visitors. */
function SignedOutStart({ flow, branding, path }: Props) {
  const { name } = branding
  const isRefused = partnerVisit.isRefused()
  return (
    <>
      {isRefused ? <Alert>{texts.refused(name)}</Alert> : null}
      <Card className="grid gap-5">
        {flow === 'manage' ? null : <FlowSteps flow={flow} />}
        {flow === 'create' ? <StartLinks isMain={!isRefused} /> : <SignIn />}
      </Card>
      <GoBack path={path} name={name} flow={flow} look="quiet" />
    </>
  )
}

function StartLinks({ isMain }: { isMain: boolean }) {
  const next = useLocation({ select: ({ href }) => href })
  const search = useWantedSearch()
  const [find, signIn] = isMain ? (['main', 'second'] as const) : (['second', 'main'] as const)
  return (
    <div className="grid justify-items-start gap-4">
      <div className="grid justify-items-start gap-2">
        <Link to="/" search={search} onClick={signsInHere} className={buttonLook(find)}>
          {texts.start.find}
        </Link>
        <p className="text-sm text-soft">{texts.start.findText}</p>
      </div>
      <Link to="/sign-in" search={{ next }} onClick={signsInHere} className={buttonLook(signIn)}>
        {texts.start.have}
      </Link>
    </div>
  )
}

function SignIn() {
  const next = useLocation({ select: ({ href }) => href })
  const [email, setEmail] = useState('')
  const { start } = texts
  return (
    <div className="grid gap-3">
      <p>{start.signInText}</p>
      <LinkRequest kind="link" next={next} email={email} setEmail={setEmail} />
      <p>
        <Link
          to="/sign-in"
          search={{ next }}
          onClick={signsInHere}
          className="inline-flex min-h-11 items-center font-medium text-main underline underline-offset-4"
        >
          {start.byPassword}
        </Link>
      </p>
    </div>
  )
}

type FindIdProps = { branding: Branding; path: string }

/** The visitor finds an id for the partner, or uses an own one. */
function FindId({ branding, path }: FindIdProps) {
  const { id } = usePartnerSearch()
  const { eid = '' } = useLastVisit() ?? {}
  const { data: ids, error } = useQuery(ownIdsQuery)
  if (!ids) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (id) return <AddressReview id={id} branding={branding} path={path} flow="create" />
  const ownedId = ownId(ids, eid)
  return (
    <>
      <Card className="grid gap-5">
        {ownedId ? <OwnedId id={ownedId} path={path} /> : <FindLink />}
      </Card>
      <GoBack path={path} name={branding.name} flow="create" look="quiet" />
    </>
  )
}

function FindLink() {
  const search = useWantedSearch()
  return (
    <>
      <FlowSteps flow="create" />
      <div>
        <Link to="/" search={search} className={buttonLook()}>
          {texts.start.find}
        </Link>
      </div>
    </>
  )
}

const OwnedId = ({ id, path }: { id: string; path: string }) => (
  <>
    <StepTitle>{texts.own.title}</StepTitle>
    <EmojiId id={id} size="large" />
    <div className="flex flex-wrap gap-3">
      <Link to="/partner/$path" params={{ path }} search={{ id }} className={buttonLook()}>
        {texts.own.use}
      </Link>
      <Link to="/" className={buttonLook('second')}>
        {texts.own.another}
      </Link>
    </div>
  </>
)

type ChooseIdProps = { branding: Branding; path: string }

/** The visitor chooses which id to link to the partner's wallet. */
function ChooseId({ branding, path }: ChooseIdProps) {
  const { id } = usePartnerSearch()
  const { eid = '' } = useLastVisit() ?? {}
  const { data: ids, error } = useQuery(ownIdsQuery)
  if (!ids) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (id) return <AddressReview id={id} branding={branding} path={path} flow="connect" />
  const named = ownId(ids, eid)
  const sorted = named ? [named, ...ids.filter((one) => one !== named)] : ids
  return (
    <>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <StepTitle>{texts.choose.title}</StepTitle>
          <p className="text-soft">{ids.length > 0 ? texts.choose.text : texts.choose.none}</p>
        </div>
        {ids.length > 0 ? <Ids ids={sorted} path={path} /> : <NoIds path={path} />}
      </Card>
      <GoBack path={path} name={branding.name} flow="connect" look="quiet" />
    </>
  )
}

const Ids = ({ ids, path }: { ids: readonly string[]; path: string }) => (
  <ul className="grid gap-3">
    {ids.map((id) => (
      <li key={id}>
        <Link
          to="/partner/$path/link-email"
          params={{ path }}
          search={{ id }}
          aria-label={texts.choose.choose(spokenNames(id))}
          className="flex min-h-16 items-center justify-between gap-4 rounded-2xl border border-line px-4 py-3 text-ink no-underline hover:bg-tint"
        >
          <EmojiId id={id} />
          <span aria-hidden="true" className="text-2xl text-main">
            ›
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

const NoIds = ({ path }: { path: string }) => (
  <div>
    <Link to="/partner/$path" params={{ path }} className={buttonLook()}>
      {texts.choose.get}
    </Link>
  </div>
)

/** The search for the id that the partner suggested. */
function useWantedSearch(): { q?: string } {
  const { eid = '' } = useLastVisit() ?? {}
  return readId(eid) ? { q: eid } : {}
}
