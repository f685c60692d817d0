import { useRouter } from '@tanstack/react-router'
import { useSignInSearch } from './address.ts'

/** Leads on to where somebody was going before they had to sign in. */
export function useGoOn(): () => void {
  const router = useRouter()
  const { next = '/' } = useSignInSearch()
  return () => {
    const { pathname } = new URL(next, window.location.origin)
    const [, , page] = router.getMatchedRoutes(pathname)
    // Some pages are not of this app.
    if (page) router.history.replace(next)
    else window.location.replace(next)
  }
}
