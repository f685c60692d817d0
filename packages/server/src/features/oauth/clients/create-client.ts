import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/index.ts'
import { auditClient } from './audit-client.ts'
import type { Deps } from './deps.ts'
import { notifyOwners } from './notify-owners.ts'
import { showClient } from './read-clients.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'
import type { NewClient } from './schema.ts'

type ClientToInsert = NewClient & { id: string; client_secret: string }

/** Returns undefined if the id is taken. */
export async function insertClient(
  deps: Deps,
  trx: Transaction,
  client: ClientToInsert,
  actor_id: string | null = null,
) {
  const { organizations, now } = deps
  const { id, client_secret, organization_id, name, redirect_uris, logo, reason } = client
  rules.assertAddresses(client)
  await organizations.loadOrganizationToChange(trx, organization_id)
  const at = now()
  const newClient = await clients.insert(trx, {
    id,
    organization_id,
    name: name.trim(),
    redirect_uris,
    logo: logo || null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  })
  if (!newClient) return undefined
  const secret_sha256 = sha256(client_secret)
  await clients.insertSecret(trx, { client_id: id, secret_sha256, created_at: at })
  const details = { client_id: id, name, redirect_uris, reason }
  await auditClient(deps, trx, 'application.created', actor_id, details)
  return { ...(await showClient(trx, newClient)), client_secret }
}

export async function createClient(deps: Deps, caller: Principal, client: NewClient) {
  const { organizations, db } = deps
  const { organization_id } = client
  organizations.assertMayInOrganization(caller, organization_id, 'organization:admin')
  const withId = { ...client, id: rules.makeId(), client_secret: rules.makeSecret() }
  const createdClient = await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    if (!caller.scopes.has('organization:admin')) {
      // The lock keeps concurrent requests from exceeding the limit together.
      await organizations.loadOrganizationToChange(trx, organization_id)
      rules.assertRoomFor(await clients.countOf(trx, organization_id))
    }
    const newClient = await insertClient(deps, trx, withId, caller.user_id)
    if (newClient) await notifyOwners(deps, trx, newClient, 'created')
    return newClient
  })
  if (!createdClient) throw new Error('The random client id is taken')
  return createdClient
}
