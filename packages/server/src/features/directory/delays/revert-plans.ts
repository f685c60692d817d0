import type { Transaction } from '../../../tables.ts'
import type { Revocation } from '../../identity/accounts/accounts.ts'
import { dropPlansOf } from './cancel-change.ts'
import type { Deps } from './delays.ts'
import { undoRaise } from './set-lock.ts'

/** Drops the changes that a user planned, and undoes raised locks that the user disavows. */
export async function revertPlans(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  { notices = [] }: Revocation,
): Promise<void> {
  await dropPlansOf(deps, trx, user_id)
  for (const notice of notices) {
    if (notice.event === 'delay_lock') await undoRaise(deps, trx, user_id, notice)
  }
}
