import type { Sealer } from '../../../platform/crypto/seal.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as messages from './repository.ts'
import * as rules from './rules.ts'

const finishedKeptMs = 30 * dayMs

/** What it is, without what it says and to whom. */
export async function describeMessages(trx: Transaction, id: string) {
  const template = await messages.findTemplate(trx, id)
  return template && { message_id: id, ...template }
}

/** Nobody wants it to be sent any more. */
export function dropMessages({ now }: Deps, trx: Transaction, id: string) {
  return messages.finish(trx, id, { status: 'failed', last_error: 'removed', finished_at: now() })
}

export async function purgeMessages({ db, now }: Deps): Promise<void> {
  await messages.giveUpOverdue(db, now(), tooLate)
  await messages.forgetCountsBefore(db, new Date(now().getTime() - rules.unconfirmedWithinMs))
  await messages.forgetFinishedBefore(db, new Date(now().getTime() - finishedKeptMs))
}

/** Wraps every message on its way with the current master key. Answers how many it was. */
export const rewrapMessages = (db: Database, sealer: Sealer): Promise<number> =>
  messages.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
export const placeOf = (id: string): string => `message ${id}`

export const tooLate = 'too_late'
