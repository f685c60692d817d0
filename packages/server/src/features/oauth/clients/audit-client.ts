import type { Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Deps } from './deps.ts'

export const auditClient = (
  { audit }: Deps,
  trx: Transaction,
  event: Parameters<Audit['writeEntry']>[1],
  actor_id: string | null,
  details: object,
) => audit.writeEntry(trx, event, { actor_id, details: { ...details } })
