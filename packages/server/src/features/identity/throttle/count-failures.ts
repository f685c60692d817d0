import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { assertBlockIsOver } from './check-throttle.ts'
import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { forgottenAfterMs, type Subject, waitMs } from './rules.ts'

export async function countFailure(deps: Deps, ...subjects: Subject[]): Promise<void> {
  for (const subject of subjects) await countOne(deps, subject, () => {})
}

/**
 * Counts an attempt as a failure before its result is known, or throws. So concurrent attempts
 * cannot exceed the limit. A right attempt is taken back afterwards.
 */
export async function countAttempt(deps: Deps, ...subjects: Subject[]): Promise<void> {
  for (const [index, subject] of subjects.entries()) {
    try {
      await countOne(deps, subject, assertBlockIsOver)
    } catch (error) {
      // An attempt that is refused counts nowhere.
      for (const { key, allowed } of subjects.slice(0, index)) {
        await failures.takeBack(deps.db, key, allowed)
      }
      throw error
    }
  }
}

export const purgeOldFailures = (deps: Deps) =>
  failures.forgetBefore(deps.db, ago(deps, forgottenAfterMs))

const ago = ({ now }: Deps, ms: number) => new Date(now().getTime() - ms)

/** Counts a failure under a lock; `mayTry` may refuse before. */
function countOne(
  deps: Deps,
  { key, allowed, name }: Subject,
  mayTry: (blockedMs: number) => void,
) {
  const { db, now } = deps
  return transactOutsideRequest(db, async (trx) => {
    const at = now()
    const {
      blocked_until,
      last_at,
      failures: before,
    } = await failures.lock(trx, { subject: key, name: name ?? null }, at)
    mayTry((blocked_until?.getTime() ?? 0) - at.getTime())
    const after = last_at < ago(deps, forgottenAfterMs) ? 1 : before + 1
    const ms = waitMs(after, allowed)
    const end = ms > 0 ? new Date(at.getTime() + ms) : null
    await failures.set(trx, key, { failures: after, last_at: at, blocked_until: end })
  })
}
