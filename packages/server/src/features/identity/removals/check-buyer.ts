import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as removals from './repository.ts'
import { mailboxHash, removedBuyer } from './rules.ts'

/** Whether the account is deactivated, or has the mailbox of a removed person. */
export async function isBarred(trx: Transaction, buyer: User): Promise<boolean> {
  if (buyer.deactivated_at) return true
  const mailbox = mailboxHash(buyer)
  return mailbox !== undefined && removals.isMailboxRemoved(trx, mailbox)
}

export async function assertMayBuy(trx: Transaction, buyer: User): Promise<void> {
  if (await isBarred(trx, buyer)) throw removedBuyer()
}

/** Stores the card of a payment; returns whether a removed person paid with it before. */
export async function checkCard(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  fingerprint: string,
): Promise<boolean> {
  await removals.insertCard(trx, { fingerprint, user_id, seen_at: now() })
  return removals.isCardRemoved(trx, fingerprint)
}
