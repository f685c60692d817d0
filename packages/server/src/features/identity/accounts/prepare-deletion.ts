import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'

/** Lets every feature settle what the account has, and removes its links. */
export async function prepareDeletion(
  { beforeDeletion, links }: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  for (const action of beforeDeletion) await action(trx, user_id)
  await links.removeLinks(trx, user_id)
}
