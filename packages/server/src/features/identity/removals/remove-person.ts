import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as removals from './repository.ts'
import { mailboxHash } from './rules.ts'

/** Bars a person from buying with this account, its verified mailbox and its cards. */
export async function removePerson({ now }: Deps, trx: Transaction, user: User): Promise<void> {
  await removals.insertPerson(trx, user.id, now())
  const mailbox = mailboxHash(user)
  if (mailbox) await removals.insertMailbox(trx, user.id, mailbox)
}

export const readmitPerson = (trx: Transaction, user_id: string) =>
  removals.deletePerson(trx, user_id)

/** A deleted account keeps its cards on file only if its owner was removed. */
export async function forgetCards(trx: Transaction, user_id: string): Promise<void> {
  if (!(await removals.isPersonRemoved(trx, user_id))) await removals.deleteCards(trx, user_id)
}
