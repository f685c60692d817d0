import { useRouter } from '@tanstack/react-router'
import { useSignInSearch } from './address.ts'

/** Continues to the page that required the sign-in. */
export function useContinue(): () => void {
  const router = useRouter()
  const { next = '/' } = useSignInSearch()
  return () => router.history.replace(next)
}
