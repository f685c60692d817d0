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

const keysOf = (subjects: readonly Subject[]) => subjects.map(({ key }) => key)

/** Throws while one of the subjects is blocked; returns those that have failures. */
async function assertNotBlocked(deps: Deps, ...subjects: Subject[]): Promise<Subject[]> {
  const rows = await failures.find(deps.db, keysOf(subjects))
  const waitMs = waitOf(rows, deps.now())
  if (waitMs > 0) throw tooManyAttempts(waitMs)
  return subjects.filter(({ key }) => rows.some(({ subject }) => subject.equals(key)))
}

function waitOf(rows: readonly { blocked_until: Date | null }[], at: Date): number {
  const ends = rows.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
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
  throw tooManyAttempts(waitOf(await failures.find(deps.db, keysOf(subjects)), deps.now()))
}

/** Uncounts an attempt that was right or did not happen. */
async function uncountAttempt({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  await failures.uncount(db, subjects)
}

async function clearFailures({ db }: Deps, ...subjects: Subject[]): Promise<void> {
  await failures.remove(db, keysOf(subjects))
}

export const purgeFailures = (db: Database, at: Date) =>
  failures.removeBefore(db, new Date(at.getTime() - failuresCountForMs))

/** Clears a name in all networks. */
const clearFailuresOfName = (trx: Transaction, text: string) =>
  failures.removeName(trx, nameOf(text))
