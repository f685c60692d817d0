import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Deps } from './organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { NewOrganization } from './schema.ts'

/** Returns undefined if the partner path is taken. */
export async function insertOrganization(
  { now, audit, keys }: Deps,
  trx: Transaction,
  { name, partner_path, client_fee_percent = 0, reason }: NewOrganization,
  actor_id: string | null = null,
) {
  const at = now()
  const members = { name: name.trim(), partner_path: partner_path || null, client_fee_percent }
  const organization = await organizations.insert(trx, {
    ...members,
    created_at: at,
    updated_at: at,
  })
  if (!organization) return undefined
  const details = { organization_id: organization.id, ...members, ...(reason ? { reason } : {}) }
  await audit.writeEntry(trx, 'organization.created', { actor_id, details })
  return { ...organization, pubkey: await keys.loadKeyOfOrganization(trx, organization.id) }
}

export async function createOrganization(
  deps: Deps,
  { user_id }: Principal,
  organization: NewOrganization,
) {
  const { db } = deps
  return transact(db, async (trx) => {
    const createdOrganization = await insertOrganization(deps, trx, organization, user_id)
    if (!createdOrganization) throw rules.takenPath()
    return createdOrganization
  })
}
