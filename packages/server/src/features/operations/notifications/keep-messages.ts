import type { Sealer } from '../../../platform/crypto/seal.ts'
import { dayMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './notifications.ts'
import * as messages from './repository.ts'
import * as rules from './rules.ts'

const retentionMs = 30 * dayMs

/** For the audit log, without recipient and content. */
export async function describeMessages(trx: Transaction, id: string) {
  const template = await messages.findTemplate(trx, id)
  return template && { message_id: id, ...template }
}

/** Marks a message as failed after an operator removed its job. */
export function dropMessages({ now }: Deps, trx: Transaction, id: string) {
  return messages.finish(trx, id, { status: 'failed', last_error: 'removed', finished_at: now() })
}

export async function purgeMessages(db: Database, at: Date): Promise<void> {
  await messages.giveUpOverdue(db, at, tooLate)
  await messages.deleteCountsBefore(db, new Date(at.getTime() - rules.unconfirmedWithinMs))
  await messages.deleteFinishedBefore(db, new Date(at.getTime() - retentionMs))
}

/** Wraps every queued message with the current master key; returns how many. */
export const rewrapMessages = (db: Database, sealer: Sealer): Promise<number> =>
  messages.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, sealContext(id)))

/** Binds the sealed text to its row: it does not unseal in another row. */
export const sealContext = (id: string): string => `message ${id}`

export const tooLate = 'too_late'
