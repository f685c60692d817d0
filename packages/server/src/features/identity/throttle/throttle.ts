import { bindUseCases } from '../../../platform/bind.ts'
import { assertNotBlocked } from './check-throttle.ts'
import { clearFailures, clearFailuresOfName, uncountAttempt } from './clear-failures.ts'
import { countAttempt, countFailure, purgeOldFailures } from './count-failures.ts'
import type { Deps } from './deps.ts'

export type Throttle = ReturnType<typeof createThrottle>

/**
 * Rate limit for guesses, with back-off: after too many failures a subject is blocked, longer each
 * time. All processes share it.
 */
export function createThrottle(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      assertNotBlocked,
      countFailure,
      countAttempt,
      uncountAttempt,
      clearFailures,
      purgeOldFailures,
    }),
    clearFailuresOfName,
  }
}
