import type { Transaction } from '../../../tables.ts'
import type { Deps } from './accounts.ts'

/** Runs the deletion actions of every feature and removes the links of the account. */
export async function prepareDeletion(
  { beforeDeletion, links }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  for (const action of beforeDeletion) await action(trx, user_id)
  await links.removeLinks(trx, user_id)
}
