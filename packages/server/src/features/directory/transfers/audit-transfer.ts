import type { Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Transfer } from './repository.ts'
import type * as rules from './rules.ts'
import type { Deps } from './transfers.ts'

export type AuditDetails = {
  actor_id: string | null
  result?: 'refused'
  ending?: rules.Ending
  reason?: string | undefined
  /** The token of a minted id did not come along. */
  without_token?: true
}

export function auditTransfer(
  { audit }: Deps,
  trx: Transaction,
  event: Parameters<Audit['writeEntry']>[1],
  { id, emoji_id, sender_id, ...to }: Transfer,
  { actor_id, result, ...more }: AuditDetails,
) {
  const recipient_id = to.recipient_id ?? to.organization_id
  const details = { transfer_id: id, emoji_id, recipient_id, ...more }
  return audit.writeEntry(trx, event, {
    actor_id,
    subject_id: sender_id,
    details,
    ...(result ? { result } : {}),
  })
}
