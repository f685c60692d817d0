import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { accountQuery } from '../../api/account.ts'
import { type Flow, partnerPage, partnerVisit } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { session } from '../../api/session.ts'
import { Button } from '../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts } from '../../texts/en.ts'
import { usePartnerSearch } from './address.ts'
import { AskForEmail } from './ask-for-email.tsx'
import { StepTitle } from './step-title.tsx'

type Props = { flow: Flow; branding: Branding; path: string; children: ReactNode }

/** What only goes on once somebody said that the account is theirs, and it has what is needed. */
export function Confirmed({ flow, branding, path, children }: Props) {
  const { data: account, error } = useQuery(accountQuery)
  const visit = useLastVisit()
  if (!account) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { id, email, alternate_id } = account.user
  const isConfirmed = visit?.signsInHere || visit?.confirmed === id
  if (!isConfirmed) {
    const account_name = email ?? alternate_id ?? ''
    return <Who {...{ flow, branding, path, id, account_name }} />
  }
  if (branding.requires_email && !email) return <AskForEmail name={branding.name} />
  return children
}

type WhoProps = Omit<Props, 'children'> & { id: string; account_name: string }

function Who({ flow, branding: { name }, path, id, account_name }: WhoProps) {
  const navigate = useNavigate()
  const { id: wanted } = usePartnerSearch()
  const isRefused = partnerVisit.isRefused()
  const isSent = useLastVisit()?.hasToken && !isRefused
  const confirm = () => {
    partnerVisit.forgetRefusal()
    partnerVisit.change({ confirmed: id })
    const hasMore = wanted !== undefined || partnerVisit.current()?.eid !== ''
    if (flow === 'create' && !hasMore) navigate({ to: '/' })
  }
  const leave = useMutation({
    mutationFn: session.end,
    onSuccess: () => {
      partnerVisit.change({ signsInHere: true })
      const next = encodeURIComponent(partnerPage({ path, flow }))
      // A new page knows nothing of who was here.
      window.location.assign(`/sign-in?next=${next}`)
    },
  })
  const { who } = texts.partner
  return (
    <>
      {isRefused ? <Alert>{texts.partner.refused(name)}</Alert> : null}
      <Card className="grid justify-items-start gap-4">
        <StepTitle>{who.title}</StepTitle>
        <p>
          <span className="block text-soft">{isSent ? who.text(name) : who.textHere}</span>
          <strong className="text-xl wrap-anywhere">{account_name}</strong>
        </p>
        <p className="text-soft">{who.consequence}</p>
        <div className="flex flex-wrap gap-3">
          <Button onClick={confirm}>{who.yes}</Button>
          <Button look="quiet" isBusy={leave.isPending} onClick={() => leave.mutate()}>
            {who.other}
          </Button>
        </div>
        <ErrorOf thrown={leave.error} />
      </Card>
    </>
  )
}
