import { bindUseCases } from '../../../platform/bind.ts'
import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import * as failures from './repository.ts'
import { failuresCountForMs, nameOf, type Subject, tooManyAttempts, waitMs } from './rules.ts'

export {
  codeSubjects,
  deviceSubject,
  namedSubject,
  nameSubjects,
  networkSubjects,
  redemptionSubjects,
  type Subject,
} from './rules.ts'

export type Deps = { db: Database; now: () => Date }

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
    }),
    clearFailuresOfName,
  }
}

/** Throws while one of the subjects is blocked. */
async function assertNotBlocked({ now, db }: Deps, ...subjects: Subject[]): Promise<void> {
  const at = now()
  const keys = subjects.map(({ key }) => key)
  const blocked = await failures.findBlocked(db, keys, at)
  const ends = blocked.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
  assertNotWaiting(Math.max(0, ...ends) - at.getTime())
}

function assertNotWaiting(blockedMs: number) {
  if (blockedMs > 0) throw tooManyAttempts(blockedMs)
}

async function countFailure(deps: Deps, ...subjects: Subject[]): Promise<void> {
  for (const subject of subjects) await countOne(deps, subject, () => {})
}

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

const ago = ({ now }: Deps, ms: number) => new Date(now().getTime() - ms)

/**
 * Counts an attempt as a failure before its result is known, so that concurrent attempts cannot
 * exceed the limit. Throws while a subject is blocked. Uncount a right attempt afterwards.
 */
async function countAttempt(deps: Deps, ...subjects: Subject[]): Promise<void> {
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

/** Uncounts an attempt that was right or did not happen. */
async function uncountAttempt({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key, allowed } of subjects) await failures.uncount(db, key, allowed)
}

async function clearFailures({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key } of subjects) await failures.remove(db, key)
}

export const purgeFailures = (db: Database, at: Date) =>
  failures.removeBefore(db, new Date(at.getTime() - failuresCountForMs))

/** Clears a name in all networks. */
const clearFailuresOfName = (trx: Transaction, text: string) =>
  failures.removeName(trx, nameOf(text))
