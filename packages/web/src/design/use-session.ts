import { useEffect, useSyncExternalStore } from 'react'
import { accessToken, type Owing, type SessionState, session } from '../api/session.ts'

/** Whether somebody is signed in, as far as this page knows. */
export function useSession(): SessionState {
  const state = useSyncExternalStore(session.subscribe, session.state)
  useEffect(() => {
    accessToken().catch(() => {})
  }, [])
  return state
}

/** The login of this browser that waits for its code, if one does. */
export const useOwing = (): Owing | undefined =>
  useSyncExternalStore(session.subscribe, session.owing)
