import type { Deps } from './deps.ts'
import * as brandings from './repository.ts'
import * as rules from './rules.ts'
import type { Branding } from './schema.ts'

/** Looks up a partner path or uuid. */
export async function loadBranding(deps: Deps, path_or_id: string): Promise<Branding> {
  const branding = await findBranding(deps, path_or_id)
  if (!branding) throw rules.unknownPartner()
  return branding
}

export const hasBranding = async (deps: Deps, path_or_id: string): Promise<boolean> =>
  (await findBranding(deps, path_or_id)) !== undefined

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
