import { bindUseCases } from '../../../platform/bind.ts'
import type { Database, Transaction } from '../../../tables.ts'
import * as failures from './repository.ts'
import { failuresCountForMs, nameOf, type Subject, tooManyAttempts } from './rules.ts'

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
async function assertNotBlocked(deps: Deps, ...subjects: Subject[]): Promise<void> {
  const waitMs = await findWaitMs(deps, subjects)
  if (waitMs > 0) throw tooManyAttempts(waitMs)
}

async function findWaitMs({ now, db }: Deps, subjects: readonly Subject[]): Promise<number> {
  const at = now()
  const keys = subjects.map(({ key }) => key)
  const blocked = await failures.findBlocked(db, keys, at)
  const ends = blocked.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
  return Math.max(0, ...ends) - at.getTime()
}

async function countFailure(deps: Deps, ...subjects: Subject[]): Promise<void> {
  await count(deps, subjects, false)
}

function count({ db, now }: Deps, subjects: readonly Subject[], onlyFree: boolean) {
  const at = now()
  const countedSince = new Date(at.getTime() - failuresCountForMs)
  return failures.count(db, subjects, { at, countedSince, onlyFree })
}

/**
 * Counts an attempt as a failure before its result is known, so that concurrent attempts cannot
 * exceed the limit. Throws while a subject is blocked. Uncount a right attempt afterwards.
 */
async function countAttempt(deps: Deps, ...subjects: Subject[]): Promise<void> {
  const counted = await count(deps, subjects, true)
  if (counted.length === subjects.length) return
  // A refused attempt must not count for any subject.
  const toUncount = subjects.filter(({ key }) => counted.some((one) => one.equals(key)))
  if (toUncount.length > 0) await failures.uncount(deps.db, toUncount)
  throw tooManyAttempts(await findWaitMs(deps, subjects))
}

/** Uncounts an attempt that was right or did not happen. */
async function uncountAttempt({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  await failures.uncount(db, subjects)
}

async function clearFailures({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  for (const { key } of subjects) await failures.remove(db, key)
}

export const purgeFailures = (db: Database, at: Date) =>
  failures.removeBefore(db, new Date(at.getTime() - failuresCountForMs))

/** Clears a name in all networks. */
const clearFailuresOfName = (trx: Transaction, text: string) =>
  failures.removeName(trx, nameOf(text))
