import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { unknownOrganization } from '../../identity/organizations/index.ts'
import { assertPerson, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as brandings from './repository.ts'
import * as rules from './rules.ts'
import type { Branding, NewBranding } from './schema.ts'

/** Saves a branding; without a caller for the demonstration. */
export async function putBranding(
  { organizations, authUrl, now, audit }: Deps,
  trx: Transaction,
  organization_id: string,
  body: NewBranding,
  caller?: Principal,
): Promise<Branding> {
  const { name, client_fee_percent } = await organizations.loadOrganizationToChange(
    trx,
    organization_id,
  )
  const before = await brandings.find(trx, organization_id)
  const branding = rules.readBranding(body, authUrl, before?.currencies)
  const isNewLink = branding.return_link !== before?.return_link
  // Users arrive there with a token that outlives the session of the caller.
  if (caller && isNewLink) assertPerson(caller)
  const at = now()
  const times = { created_at: at, updated_at: at }
  const saved = await brandings.put(trx, { organization_id, ...branding, ...times })
  const details = {
    organization_id,
    return_link: saved.return_link,
    return_link_before: before?.return_link ?? null,
    ...(body.reason === undefined ? {} : { reason: body.reason }),
  }
  const actor_id = caller?.user_id ?? null
  await audit.writeEntry(trx, 'branding.changed', { actor_id, details })
  if (caller && isNewLink) {
    const title = 'The return link of your organization changed'
    const sentence = rules.newLinkSentence(name, saved.return_link)
    await organizations.notifyOwners(trx, organization_id, title, sentence)
  }
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
  return transact(db, (trx) => putBranding(deps, trx, organization.id, body, caller))
}
