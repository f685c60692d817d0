import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as removals from './repository.ts'
import { removedBuyer, removedPerson } from './rules.ts'

/** Whether the account is deactivated, or has or had a mailbox that a removed person verified. */
export async function isBarred(
  trx: Transaction,
  { id, deactivated_at }: Pick<User, 'id' | 'deactivated_at'>,
): Promise<boolean> {
  return deactivated_at !== null || (await findBarred(trx, [id])).has(id)
}

/** Those accounts that have, or once verified, a mailbox which a removed person verified. */
export const findBarred = async (trx: Transaction, user_ids: readonly string[]) =>
  new Set((await removals.findWithRemovedMailbox(trx, user_ids)).map(({ user_id }) => user_id))

/** Refuses a removed person who would get an id. */
export async function assertMayOwn(trx: Transaction, owner: User): Promise<void> {
  if (await isBarred(trx, owner)) throw removedBuyer()
}

/** Operators can give ids to a removed person, but have to say why. */
export async function assertMayGive(
  trx: Transaction,
  owner: User,
  reason: string | undefined,
): Promise<void> {
  if (!reason && (await isBarred(trx, owner))) throw removedPerson()
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
