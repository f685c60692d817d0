import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { unknownOrganization } from '../../identity/organizations/index.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as brandings from './repository.ts'
import * as rules from './rules.ts'
import type { Branding, NewBranding } from './schema.ts'

/** Saves a branding without an access check. */
export async function putBranding(
  { organizations, authUrl, now, audit }: Deps,
  trx: Transaction,
  organization_id: string,
  body: NewBranding,
  actor_id: string | null = null,
): Promise<Branding> {
  const { name, client_fee_percent } = await organizations.loadOrganizationToChange(
    trx,
    organization_id,
  )
  const before = await brandings.find(trx, organization_id)
  const branding = rules.readBranding(body, authUrl, before?.currencies)
  const at = now()
  const times = { created_at: at, updated_at: at }
  const saved = await brandings.put(trx, { organization_id, ...branding, ...times })
  const details = {
    organization_id,
    return_link: saved.return_link,
    return_link_before: before?.return_link ?? null,
    ...(body.reason === undefined ? {} : { reason: body.reason }),
  }
  await audit.writeEntry(trx, 'branding.changed', { actor_id, details })
  return { ...saved, name, client_fee_percent }
}

export async function setBranding(
  deps: Deps,
  caller: Principal,
  path_or_id: string,
  body: NewBranding,
) {
  const { organizations, db } = deps
  const organization = await organizations.findByPathOrId(path_or_id)
  if (!organization) throw unknownOrganization()
  organizations.assertMayInOrganization(caller, organization.id, 'organization:write')
  return transact(db, (trx) => putBranding(deps, trx, organization.id, body, caller.user_id))
}
