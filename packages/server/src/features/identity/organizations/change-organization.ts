import { transact } from '../../../platform/database/database.ts'
import { isDuplicate } from '../../../platform/database/faults.ts'
import { assertPerson, assertScope, type Principal } from '../../operations/access/access.ts'
import { assertMayInOrganization } from './check-access.ts'
import type { Deps } from './organizations.ts'
import { loadOrganizationToChange } from './read-organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { OrganizationChange } from './schema.ts'

export async function changeOrganization(
  { db, now, audit, keys }: Deps,
  caller: Principal,
  id: string,
  change: OrganizationChange,
) {
  const { name, partner_path, client_fee_percent, reason } = change
  assertMayInOrganization(caller, id, 'organization:write')
  // Partner path and fee are contract terms, which only operators set.
  const changesContract = partner_path !== undefined || client_fee_percent !== undefined
  if (changesContract) assertScope(caller, 'organization:admin')
  // Visits to the path bring tokens of users.
  if (partner_path !== undefined) assertPerson(caller)
  return transact(db, async (trx) => {
    await loadOrganizationToChange(trx, id)
    const holder = partner_path && (await organizations.findByPath(trx, partner_path))
    if (holder && holder.id !== id) throw rules.takenPath()
    const changedOrganization = await organizations
      .update(trx, id, {
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(partner_path === undefined ? {} : { partner_path: partner_path || null }),
        ...(client_fee_percent === undefined ? {} : { client_fee_percent }),
        updated_at: now(),
      })
      .catch((error) => {
        throw isDuplicate(error) ? rules.takenPath() : error
      })
    const details = { organization_id: id, name, partner_path, client_fee_percent, reason }
    await audit.writeEntry(trx, 'organization.changed', { actor_id: caller.user_id, details })
    return { ...changedOrganization, pubkey: await keys.loadKeyOfOrganization(trx, id) }
  })
}
