import { useLastVisit } from '../../design/use-visit.ts'
import { readId } from './own-id.ts'

/** The search for the id that the partner suggested. */
export function useWantedSearch(): { q?: string } {
  const { eid = '' } = useLastVisit() ?? {}
  return readId(eid) ? { q: eid } : {}
}
