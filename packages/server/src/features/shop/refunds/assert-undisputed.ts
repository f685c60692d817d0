import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Money returned by the bank must not be refunded a second time. */
export async function assertUndisputed(
  { ledger }: Deps,
  trx: Transaction,
  order_id: string,
): Promise<void> {
  if (await ledger.isDisputed(trx, order_id)) throw rules.disputedError()
}
