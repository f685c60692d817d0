import { useNavigate } from '@tanstack/react-router'
import { partnerPage, partnerVisit, type Visit } from '../../api/partner-visit.ts'
import { session } from '../../api/session.ts'
import { useAction } from '../../design/use-action.ts'
import { texts } from './texts.ts'
import { useAfterConfirming } from './use-after-confirming.ts'
import { WhoCard } from './who-card.tsx'

type Props = { visit: Visit; name: string }

function warningFor({ sentAs }: Visit): string | undefined {
  if (sentAs?.is_confirmed) return undefined
  return sentAs?.has_address ? texts.who.unconfirmed : texts.who.noAddress
}

/** Asks the visitor to confirm the partner's account. The current session stays until then. */
export function SentAccount({ visit, name }: Props) {
  const navigate = useNavigate()
  const onConfirmed = useAfterConfirming()
  const confirm = useAction({
    mutationFn: () => partnerVisit.confirm(visit),
    onSuccess: onConfirmed,
  })
  const leave = useAction({
    mutationFn: () => partnerVisit.decline(visit),
    onSuccess: () => {
      // The next step asks about the signed-in account.
      if (session.state() === 'in') return
      partnerVisit.change({ signsInHere: true })
      navigate({ to: '/sign-in', search: { next: partnerPage(visit) } })
    },
  })
  return (
    <WhoCard
      text={texts.who.text(name)}
      consequence={texts.who.consequenceSent(name)}
      account={visit.sentAs?.name ?? ''}
      warning={warningFor(visit)}
      confirm={() => confirm.mutate()}
      isConfirming={confirm.isPending}
      leave={() => leave.mutate()}
      isLeaving={leave.isPending}
      error={confirm.error ?? leave.error}
    />
  )
}
