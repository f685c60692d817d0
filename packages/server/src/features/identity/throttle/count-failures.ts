import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { assertNotWaiting } from './check-throttle.ts'
import type { Deps } from './deps.ts'
import * as failures from './repository.ts'
import { failuresCountForMs, type Subject, waitMs } from './rules.ts'

export async function countFailure(deps: Deps, ...subjects: Subject[]): Promise<void> {
  for (const subject of subjects) await countOne(deps, subject, () => {})
}

/**
 * Counts an attempt as a failure before its result is known, so that concurrent attempts cannot
 * exceed the limit. Throws while a subject is blocked. Uncount a right attempt afterwards.
 */
export async function countAttempt(deps: Deps, ...subjects: Subject[]): Promise<void> {
  for (const [index, subject] of subjects.entries()) {
    try {
      await countOne(deps, subject, assertNotWaiting)
    } catch (error) {
      // A refused attempt must not count for any subject.
      for (const { key, allowed } of subjects.slice(0, index)) {
        await failures.uncount(deps.db, key, allowed)
      }
      throw error
    }
  }
}

export const purgeOldFailures = (deps: Deps) =>
  failures.removeBefore(deps.db, ago(deps, failuresCountForMs))

const ago = ({ now }: Deps, ms: number) => new Date(now().getTime() - ms)

/** Counts a failure under a lock; `assertMayTry` can refuse before. */
function countOne(
  deps: Deps,
  { key, allowed, name }: Subject,
  assertMayTry: (blockedMs: number) => void,
) {
  const { db, now } = deps
  return transactOutsideRequest(db, async (trx) => {
    const at = now()
    const {
      blocked_until,
      last_at,
      failures: before,
    } = await failures.lock(trx, { subject: key, name: name ?? null }, at)
    assertMayTry((blocked_until?.getTime() ?? 0) - at.getTime())
    const after = last_at < ago(deps, failuresCountForMs) ? 1 : before + 1
    const ms = waitMs(after, allowed)
    const end = ms > 0 ? new Date(at.getTime() + ms) : null
    await failures.set(trx, key, { failures: after, last_at: at, blocked_until: end })
  })
}
