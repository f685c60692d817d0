import { transact } from '../../../platform/database/database.ts'
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

/** Bars a person whose account is deleted; false if nothing is stored that identifies the person. */
export async function removeDeletedPerson(
  deps: Deps,
  trx: Transaction,
  user_id: string,
): Promise<boolean> {
  if (await removals.isPersonRemoved(trx, user_id)) return true
  if (!(await removals.deleteRetention(trx, user_id))) return false
  await removePerson(deps, trx, user_id)
  await removals.deleteMailboxes(trx, user_id)
  return true
}

/** Ends the bar of a person whose account is deleted; false if there was none. */
export async function readmitDeletedPerson(trx: Transaction, user_id: string): Promise<boolean> {
  if (!(await removals.isPersonRemoved(trx, user_id))) return false
  await removals.deletePerson(trx, user_id)
  await removals.deleteCards(trx, user_id)
  return true
}

/**
 * A deleted account keeps its mailboxes and cards on file if its owner was removed, and for a while
 * if an id of it was reported or suspended: else deletion would escape the removal.
 */
export async function forgetPerson(
  { now, restMs }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  const isRemoved = await removals.isPersonRemoved(trx, user_id)
  const since = new Date(now().getTime() - restMs)
  if (!isRemoved && restMs > 0 && (await removals.isSuspected(trx, user_id, since))) {
    const until = new Date(now().getTime() + restMs)
    return removals.insertRetention(trx, user_id, until)
  }
  await removals.deleteMailboxes(trx, user_id)
  if (!isRemoved) await removals.deleteCards(trx, user_id)
}

/** Deletes mailboxes and cards of deleted accounts that no operator barred in time. */
export function purgePeople({ db, now }: Deps): Promise<void> {
  return transact(db, async (trx) => {
    for (const { user_id } of await removals.takeEndedRetentions(trx, now())) {
      await removals.deleteMailboxes(trx, user_id)
      await removals.deleteCards(trx, user_id)
    }
  })
}
