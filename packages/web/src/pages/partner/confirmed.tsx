import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { accountQuery } from '../../api/account.ts'
import { type Flow, partnerPage, partnerVisit } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { session } from '../../api/session.ts'
import { Alert, ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { AskForEmail } from './ask-for-email.tsx'
import { texts } from './texts.ts'
import { useAfterConfirming } from './use-after-confirming.ts'
import { WhoCard } from './who-card.tsx'

type Props = { flow: Flow; branding: Branding; path: string; children: ReactNode }

/** Shows its children once the visitor confirmed the account and it meets the requirements. */
export function ConfirmedAccount({ flow, branding, path, children }: Props) {
  const { data: account, error } = useQuery(accountQuery)
  const visit = useLastVisit()
  if (!account) return error ? <ErrorOf thrown={error} /> : <Waiting />
  const { id, email, alternate_id } = account.user
  const isConfirmed = visit?.signsInHere || visit?.confirmed === id
  if (!isConfirmed) {
    const account_name = email ?? alternate_id ?? ''
    return (
      <AccountQuestion
        flow={flow}
        branding={branding}
        path={path}
        id={id}
        account_name={account_name}
      />
    )
  }
  if (branding.requires_email && !email)
    return <AskForEmail name={branding.name} needsPassword={account.email_needs_password} />
  return children
}

type AccountQuestionProps = Omit<Props, 'children'> & { id: string; account_name: string }

function AccountQuestion({
  flow,
  branding: { name },
  path,
  id,
  account_name,
}: AccountQuestionProps) {
  const isRefused = partnerVisit.isRefused()
  const onConfirmed = useAfterConfirming()
  const confirm = () => {
    partnerVisit.forgetRefusal()
    partnerVisit.change({ confirmed: id })
    onConfirmed()
  }
  const leave = useAction({
    mutationFn: session.end,
    onSuccess: () => {
      partnerVisit.change({ signsInHere: true })
      const next = encodeURIComponent(partnerPage({ path, flow }))
      // A reload drops all data of the previous account.
      window.location.assign(`/sign-in?next=${next}`)
    },
  })
  return (
    <>
      {isRefused ? <Alert>{texts.refused(name)}</Alert> : null}
      <WhoCard
        text={texts.who.textHere}
        consequence={texts.who.consequence}
        account={account_name}
        confirm={confirm}
        leave={() => leave.mutate()}
        isLeaving={leave.isPending}
        error={leave.error}
      />
    </>
  )
}
