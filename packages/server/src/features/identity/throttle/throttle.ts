import { bindUseCases } from '../../../platform/bind.ts'
import type { Transaction } from '../../../tables.ts'
import { assertNotBlocked } from './check-throttle.ts'
import { countAttempt, countFailure, purgeOldFailures } from './count-failures.ts'
import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { nameOf, type Subject } from './rules.ts'

export type Throttle = ReturnType<typeof createThrottle>

/**
 * Rate limit for guesses, with back-off: after too many failures a subject is blocked, longer each
 * time. All processes share it.
 */
export function createThrottle(deps: Deps) {
  const { db } = deps

  return {
    ...bindUseCases(deps, {
      assertNotBlocked,
      countFailure,
      countAttempt,
      purgeOldFailures,
    }),
    /** Takes back one counted attempt that was right or did not happen. */
    takeBackAttempt: async (...subjects: Subject[]) => {
      for (const { key, allowed } of subjects) await failures.takeBack(db, key, allowed)
    },
    /** Clears the failures of subjects after a success. */
    clearFailures: async (...subjects: Subject[]) => {
      for (const { key } of subjects) await failures.forget(db, key)
    },
    /** Clears the failures of a login name in all networks. */
    clearFailuresOfName: (trx: Transaction, text: string) => failures.forgetName(trx, nameOf(text)),
  }
}
