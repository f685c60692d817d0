import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type Flow, partnerVisit } from '../../api/partner-visit.ts'
import { type Branding, brandingQuery } from '../../api/partners.ts'
import { asProblem } from '../../api/problem.ts'
import { buttonLook } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { useSession } from '../../design/use-session.ts'
import { useTitle } from '../../design/use-title.ts'
import { useGreeting, useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { usePartnerSearch } from './address.ts'
import { BrandTop } from './brand.tsx'
import { ChooseId } from './choose-id.tsx'
import { ConfirmedAccount } from './confirmed.tsx'
import { FindId } from './find-id.tsx'
import { ManageIds } from './manage-ids.tsx'
import { SentAccount } from './sent-as.tsx'
import { SignedOutStart } from './signed-out-start.tsx'
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
