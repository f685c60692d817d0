import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import { auditClient } from './audit-client.ts'
import type { Deps } from './deps.ts'
import { notifyOwners } from './notify-owners.ts'
import { loadClientToChange, showClient } from './read-clients.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'

/** Adds a second secret for rotation: the first one stays valid until it is deleted. */
export async function addSecret(deps: Deps, caller: Principal, id: string, reason?: string) {
  const { db, now } = deps
  const client_secret = rules.makeSecret()
  return transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    const existing = await clients.findSecrets(trx, [id])
    if (existing.length >= rules.secretsAtMost) throw rules.tooManySecrets()
    const secret_sha256 = sha256(client_secret)
    await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: now() })
    await auditClient(deps, trx, 'application.secret_made', caller.user_id, {
      client_id: id,
      reason,
    })
    await notifyOwners(deps, trx, client, 'secret_made')
    return { ...(await showClient(trx, client)), client_secret }
  })
}

export async function removeSecret(
  deps: Deps,
  caller: Principal,
  id: string,
  secret_id: string,
  reason?: string,
) {
  const { db } = deps
  return transact(db, async (trx) => {
    const client = await loadClientToChange(deps, trx, caller, id)
    const existing = await clients.findSecrets(trx, [id])
    if (!existing.some((secret) => secret.id === secret_id)) {
      throw rules.unknownSecret()
    }
    if (existing.length === 1) throw rules.lastSecret()
    await clients.removeSecret(trx, secret_id)
    const details = { client_id: id, secret_id, reason }
    await auditClient(deps, trx, 'application.secret_deleted', caller.user_id, details)
    await notifyOwners(deps, trx, client, 'secret_deleted')
    return showClient(trx, client)
  })
}
