import { transactApart } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import * as failures from './repository.ts'
import { forgottenAfterMs, nameOf, type Subject, TooManyAttemptsError, waitMs } from './rules.ts'

export type Throttle = ReturnType<typeof createThrottle>

type Options = { db: Database; now: () => Date }

/** Makes guessing slow: whoever fails too often waits, longer each time. Shared by all processes. */
export function createThrottle({ db, now }: Options) {
  const ago = (ms: number) => new Date(now().getTime() - ms)
  /** Counts one more; `mayTry` is asked first, while nobody else counts. */
  const count = ({ key, allowed, name }: Subject, mayTry: (blockedMs: number) => void) =>
    transactApart(db, async (trx) => {
      const at = now()
      const {
        blocked_until,
        last_at,
        failures: before,
      } = await failures.lock(trx, { subject: key, name: name ?? null }, at)
      mayTry((blocked_until?.getTime() ?? 0) - at.getTime())
      const after = last_at < ago(forgottenAfterMs) ? 1 : before + 1
      const ms = waitMs(after, allowed)
      const end = ms > 0 ? new Date(at.getTime() + ms) : null
      await failures.set(trx, key, { failures: after, last_at: at, blocked_until: end })
    })
  const assertOver = (blockedMs: number) => {
    if (blockedMs > 0) throw new TooManyAttemptsError(blockedMs)
  }

  return {
    /** Throws while any of them has to wait. */
    async assertOpen(...subjects: Subject[]): Promise<void> {
      const at = now()
      const keys = subjects.map(({ key }) => key)
      const blocked = await failures.findBlocked(db, keys, at)
      const ends = blocked.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
      assertOver(Math.max(0, ...ends) - at.getTime())
    },

    async noteFailure(...subjects: Subject[]): Promise<void> {
      for (const subject of subjects) await count(subject, () => {})
    },

    /**
     * Counts a try before anybody knows whether it is right, or throws: of many at once no more
     * get through than may fail. Whoever was right is forgiven.
     */
    takeTry: (subject: Subject): Promise<void> => count(subject, assertOver),

    /** A try that was right, or came to nothing, after all; others stay counted. */
    takeBack: ({ key, allowed }: Subject) => failures.takeBack(db, key, allowed),

    /** Clears the failures of a subject after a success. */
    forgive: (subject: Subject) => failures.forget(db, subject.key),

    /** Clears the failures of a login name in all networks. */
    clear: (trx: Transaction, text: string) => failures.forgetName(trx, nameOf(text)),

    purge: () => failures.forgetBefore(db, ago(forgottenAfterMs)),
  }
}
