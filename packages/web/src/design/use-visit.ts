import { useSyncExternalStore } from 'react'
import { partnerVisit, type Visit } from '../api/partner-visit.ts'

/** Which partner sent whoever is here, also after they went back. */
export const useLastVisit = (): Visit | undefined =>
  useSyncExternalStore(partnerVisit.subscribe, partnerVisit.current)

/** Which partner sent whoever is here, until they go back. */
export function useVisit(): Visit | undefined {
  const visit = useLastVisit()
  return visit?.isOver ? undefined : visit
}

/** Whether the site is being told whom a partner sent. */
export const useGreeting = (): boolean =>
  useSyncExternalStore(partnerVisit.subscribe, partnerVisit.isGreeting)
