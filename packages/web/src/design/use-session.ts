import { useEffect, useSyncExternalStore } from 'react'
import { accessToken, type PendingSignIn, type SessionState, session } from '../api/session.ts'

/** The sign-in state of this page. */
export function useSession(): SessionState {
  const state = useSyncExternalStore(session.subscribe, session.state)
  useEffect(() => {
    accessToken().catch(() => {})
  }, [])
  return state
}

/** The pending sign-in that needs a code. */
export const useOwing = (): PendingSignIn | undefined =>
  useSyncExternalStore(session.subscribe, session.owing)
