import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as removals from './repository.ts'

/** Bars a person from owning ids with this account, every mailbox it verified, and its cards. */
export async function removePerson(
  { now }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  await removals.insertPerson(trx, user_id, now())
  await removals.insertMailboxes(trx, user_id)
}

export const readmitPerson = (trx: Transaction, user_id: string) =>
  removals.deletePerson(trx, user_id)

/** A deleted account keeps its mailboxes and cards on file only if its owner was removed. */
export async function forgetPerson(trx: Transaction, user_id: string): Promise<void> {
  await removals.deleteMailboxes(trx, user_id)
  if (!(await removals.isPersonRemoved(trx, user_id))) await removals.deleteCards(trx, user_id)
}
