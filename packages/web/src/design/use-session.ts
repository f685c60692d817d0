import { useEffect, useSyncExternalStore } from 'react'
import { accessToken, type SessionState, session } from '../api/session.ts'

/** Whether somebody is signed in, as far as this page knows. */
export function useSession(): SessionState {
  const state = useSyncExternalStore(session.subscribe, session.state)
  useEffect(() => {
    accessToken().catch(() => {})
  }, [])
  return state
}
