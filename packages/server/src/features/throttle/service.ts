import { transact } from '../../platform/database/database.ts'
import type { Database } from '../../tables.ts'
import * as failures from './repository.ts'
import { forgottenAfterMs, type Subject, TooManyAttemptsError, waitMs } from './rules.ts'

export type Throttle = ReturnType<typeof createThrottle>

type Options = { db: Database; now: () => Date }

/** Makes guessing slow: whoever fails too often waits, longer each time. Shared by all processes. */
export function createThrottle({ db, now }: Options) {
  const ago = (ms: number) => new Date(now().getTime() - ms)
  return {
    /** Throws while any of them has to wait. */
    async assertOpen(...subjects: Subject[]): Promise<void> {
      const at = now()
      const keys = subjects.map(({ key }) => key)
      const blocked = await failures.findBlocked(db, keys, at)
      const ends = blocked.map(({ blocked_until }) => blocked_until?.getTime() ?? 0)
      if (ends.length > 0) throw new TooManyAttemptsError(Math.max(...ends) - at.getTime())
    },

    async noteFailure(...subjects: Subject[]): Promise<void> {
      for (const { key, allowed } of subjects) {
        const count = await failures.addFailure(db, key, now(), ago(forgottenAfterMs))
        const ms = waitMs(count, allowed)
        if (ms > 0) await failures.block(db, key, new Date(now().getTime() + ms))
      }
    },

    /**
     * Counts a try before anybody knows whether it is right, or throws: of many at once no more
     * get through than may fail. Whoever was right is forgiven.
     */
    async takeTry({ key, allowed }: Subject): Promise<void> {
      await transact(db, async (trx) => {
        const at = now()
        const { blocked_until, last_at, failures: before } = await failures.lock(trx, key, at)
        const left = (blocked_until?.getTime() ?? 0) - at.getTime()
        if (left > 0) throw new TooManyAttemptsError(left)
        const count = last_at < ago(forgottenAfterMs) ? 1 : before + 1
        const ms = waitMs(count, allowed)
        const end = ms > 0 ? new Date(at.getTime() + ms) : null
        await failures.set(trx, key, { failures: count, last_at: at, blocked_until: end })
      })
    },

    /** After a success nothing is held against the name; the address keeps what it did to others. */
    forgive: (name: Subject) => failures.forget(db, name.key),

    purge: () => failures.forgetBefore(db, ago(forgottenAfterMs)),
  }
}
