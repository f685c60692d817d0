import { useNavigate } from '@tanstack/react-router'
import { partnerVisit } from '../../api/partner-visit.ts'
import { usePartnerSearch } from './address.ts'

/** Leads on who said that the account is theirs: to the search, where there is nothing else to see. */
export function useAfterConfirming(): () => void {
  const navigate = useNavigate()
  const { id } = usePartnerSearch()
  return () => {
    const { flow, eid } = partnerVisit.current() ?? {}
    if (flow === 'create' && id === undefined && eid === '') navigate({ to: '/' })
  }
}
