import { useEffect, useSyncExternalStore } from 'react'
import { accessToken, session } from '../api/session.ts'

/** Whether somebody is signed in, as far as this page knows. */
export function useSignedIn(): boolean {
  const token = useSyncExternalStore(session.subscribe, session.token)
  useEffect(() => {
    accessToken().catch(() => {})
  }, [])
  return token !== undefined
}
