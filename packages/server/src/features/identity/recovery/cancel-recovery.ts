import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Revocation, User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export const dropRecovery = async (trx: Transaction, user_id: string) =>
  void (await recoveries.take(trx, user_id))

/** Cancels a recovery when the account gets a new mailbox or an operator revokes its access. */
export async function revokeRecovery(
  { links }: Deps,
  trx: Transaction,
  user_id: string,
  { isNewMailbox, isByOperator }: Revocation,
): Promise<void> {
  if (!isNewMailbox && !isByOperator) return
  await dropRecovery(trx, user_id)
  await links.voidLinks(trx, user_id, ['recover_factor', 'finish_recovery'])
}

/** Cancels a recovery after the user entered a code: the second factor is not lost. */
export async function cancelRecovery(
  { audit, accounts }: Deps,
  trx: Transaction,
  user: User,
): Promise<void> {
  const cancelled = await recoveries.take(trx, user.id)
  if (!cancelled) return
  await audit.writeEntry(trx, 'second_factor.recovery_cancelled', { actor_id: user.id })
  const title = 'Your second factor stays'
  await accounts.notifyAccount(trx, user, title, rules.cancelledSentence)
}

/** The route requires a fresh second factor. */
export async function cancelOwnRecovery(deps: Deps, { user_id }: Principal): Promise<void> {
  const { db, accounts } = deps
  await transact(db, async (trx) =>
    cancelRecovery(deps, trx, await accounts.loadAccountToChange(trx, user_id)),
  )
}
