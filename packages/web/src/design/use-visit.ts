import { useSyncExternalStore } from 'react'
import { partnerVisit, type Visit } from '../api/partner-visit.ts'

/** The latest partner visit, also after the return to the partner. */
export const useLastVisit = (): Visit | undefined =>
  useSyncExternalStore(partnerVisit.subscribe, partnerVisit.current)

/** The current partner visit. */
export function useVisit(): Visit | undefined {
  const visit = useLastVisit()
  return visit?.isOver ? undefined : visit
}

/** Whether the visit is still being reported to the site. */
export const useGreeting = (): boolean =>
  useSyncExternalStore(partnerVisit.subscribe, partnerVisit.isGreeting)
