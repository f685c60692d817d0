import { useNavigate } from '@tanstack/react-router'
import { partnerVisit } from '../../api/partner-visit.ts'
import { usePartnerSearch } from './address.ts'

/** Continues after the confirmation; goes to the search if the page has nothing else to show. */
export function useAfterConfirming(): () => void {
  const navigate = useNavigate()
  const { id } = usePartnerSearch()
  return () => {
    const { flow, eid } = partnerVisit.current() ?? {}
    if (flow === 'create' && id === undefined && eid === '') navigate({ to: '/' })
  }
}
