import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { auditClient } from './audit-client.ts'
import type { Deps } from './deps.ts'
import { notifyOwners } from './notify-owners.ts'
import { loadClientToChange } from './read-clients.ts'
import * as clients from './repository.ts'

/** Deletes a client, which invalidates its grants. */
export async function deleteClient(
  deps: Deps,
  caller: Principal,
  id: string,
  reason?: string,
): Promise<void> {
  const { db, now } = deps
  await transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    await clients.update(trx, id, { deleted_at: now() })
    await clients.removeSecrets(trx, id)
    await auditClient(deps, trx, 'application.deleted', caller.user_id, { client_id: id, reason })
    await notifyOwners(deps, trx, client, 'deleted')
  })
}
