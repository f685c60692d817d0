import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Accounts, User } from '../accounts/accounts.ts'
import * as removals from './repository.ts'
import { removedBuyer, removedPerson } from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  now: () => Date
  /** How long a deleted account can count as removed if an id of it was reported or suspended. */
  restMs: number
}

export type Removals = ReturnType<typeof createRemovals>

/** Removed people: operators deactivated their accounts, and they get no ids with another one. */
export function createRemovals(deps: Deps) {
  deps.accounts.beforeDeletion(bindTo(deps)(forgetPerson))
  return {
    ...bindUseCases(deps, { removePerson, removeDeletedPerson, checkCard }),
    restorePerson,
    restoreDeletedPerson,
    isPersonRemoved: removals.isPersonRemoved,
    isRemoved,
    isCardBarred: removals.isCardRemoved,
    hasBarredCard: removals.hasRemovedCard,
    findRemoved,
    assertMayOwn,
    assertMayGive,
  }
}

/** Bars a person from owning ids with this account, with its marks, and with its cards. */
async function removePerson({ now }: Deps, trx: Transaction, user_id: string): Promise<void> {
  await removals.insertPerson(trx, user_id, now())
  await removals.insertMarks(trx, 'removed_mailboxes', user_id)
}

/** Bars a person whose account is deleted; false if nothing is stored that identifies the person. */
async function removeDeletedPerson(
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

/** Deletes mailboxes and cards of deleted accounts whose owner no operator removed in time. */
export function purgePeople(db: Database, at: Date): Promise<void> {
  return transact(db, async (trx) => {
    for (const { user_id } of await removals.takeEndedRetentions(trx, at)) {
      await removals.deleteMailboxes(trx, user_id)
      await removals.deleteCards(trx, user_id)
    }
  })
}

/** Stores the card of a payment; returns whether a removed person pays or paid with it. */
const checkCard = ({ now }: Deps, trx: Transaction, user_id: string, fingerprint: string) =>
  removals.insertCard(trx, { fingerprint, user_id, seen_at: now() })

/**
 * A deleted account keeps its mailboxes and cards on file if its owner was removed, and for a while
 * if an id of it was reported or suspended: else deletion would escape the removal.
 */
async function forgetPerson(
  { now, restMs }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  const isRemoved = await removals.isPersonRemoved(trx, user_id)
  const since = new Date(now().getTime() - restMs)
  if (!isRemoved && restMs > 0 && (await removals.isSuspected(trx, user_id, since))) {
    const until = new Date(now().getTime() + restMs)
    await removals.insertMarks(trx, 'verified_mailboxes', user_id)
    return removals.insertRetention(trx, user_id, until)
  }
  await removals.deleteMailboxes(trx, user_id)
  if (!isRemoved) await removals.deleteCards(trx, user_id)
}

const restorePerson = (trx: Transaction, user_id: string) => removals.deletePerson(trx, user_id)

/** Ends the removal of a person whose account is deleted; false if there was none. */
async function restoreDeletedPerson(trx: Transaction, user_id: string): Promise<boolean> {
  if (!(await removals.isPersonRemoved(trx, user_id))) return false
  await removals.deletePerson(trx, user_id)
  await removals.deleteCards(trx, user_id)
  return true
}

/** Whether the account is deactivated, or has a mark of a removed person. */
async function isRemoved(
  trx: Transaction,
  { id, deactivated_at }: Pick<User, 'id' | 'deactivated_at'>,
): Promise<boolean> {
  return deactivated_at !== null || (await findRemoved(trx, [id])).has(id)
}

/** Those accounts that have, or once verified, a mailbox of a removed person, or another mark. */
const findRemoved = async (trx: Transaction, user_ids: readonly string[]) =>
  new Set((await removals.findWithRemovedMark(trx, user_ids)).map(({ user_id }) => user_id))

/** Refuses a removed person who would get an id. */
async function assertMayOwn(trx: Transaction, owner: User): Promise<void> {
  if (await isRemoved(trx, owner)) throw removedBuyer()
}

/** Operators can give ids to a removed person, but have to say why. */
async function assertMayGive(
  trx: Transaction,
  owner: User,
  reason: string | undefined,
): Promise<void> {
  if (!reason && (await isRemoved(trx, owner))) throw removedPerson()
}
