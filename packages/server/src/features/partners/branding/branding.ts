import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  type Organizations,
  unknownOrganization,
} from '../../identity/organizations/organizations.ts'
import { assertPerson, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import * as brandings from './repository.ts'
import type { Branding, NewBranding } from './routes.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  organizations: Organizations
  audit: Audit
  now: () => Date
  authUrl: string
}

export type PartnerBranding = ReturnType<typeof createBranding>

/** The branding of organizations on the pages that they send their users to. */
export function createBranding(deps: Deps) {
  return bindUseCases(deps, { putBranding, loadBranding, hasBranding, setBranding })
}

/** Saves a branding; without a caller for the demonstration. */
async function putBranding(
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

/** Looks up a partner path or uuid. */
async function loadBranding(deps: Deps, path_or_id: string): Promise<Branding> {
  const branding = await findBranding(deps, path_or_id)
  if (!branding) throw rules.unknownPartner()
  return branding
}

/** Hides organizations without a branding. */
async function findBranding(
  { organizations, db }: Deps,
  path_or_id: string,
): Promise<Branding | undefined> {
  const organization = await organizations.findByPathOrId(path_or_id)
  const branding = organization && (await brandings.find(db, organization.id))
  if (!branding) return undefined
  const { name, client_fee_percent } = organization
  return { ...branding, name, client_fee_percent }
}

const hasBranding = async (deps: Deps, path_or_id: string): Promise<boolean> =>
  (await findBranding(deps, path_or_id)) !== undefined

async function setBranding(deps: Deps, caller: Principal, path_or_id: string, body: NewBranding) {
  const { organizations, db } = deps
  const organization = await organizations.findByPathOrId(path_or_id)
  if (!organization) throw unknownOrganization()
  organizations.assertMayInOrganization(caller, organization.id, 'organization:write')
  return transact(db, (trx) => putBranding(deps, trx, organization.id, body, caller))
}
