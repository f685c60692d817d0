import { useRouter } from '@tanstack/react-router'
import { useSignInSearch } from './address.ts'

/** Leads on to where somebody was going before they had to sign in. */
export function useGoOn(): () => void {
  const router = useRouter()
  const { next = '/' } = useSignInSearch()
  return () => router.history.replace(next)
}
