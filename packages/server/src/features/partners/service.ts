import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import { type Organizations, UnknownOrganizationError } from '../organizations/index.ts'
import * as brandings from './repository.ts'
import * as rules from './rules.ts'
import type { Branding, NewBranding } from './schema.ts'

export type Partners = ReturnType<typeof createPartners>

type Options = {
  db: Database
  organizations: Organizations
  audit: Audit
  now: () => Date
  authUrl: string
}

/** How organizations look on the pages that they send their users to. */
export function createPartners({ db, organizations, audit, now, authUrl }: Options) {
  /** In a transaction of the caller, who has seen to it that this is allowed. */
  const put = async (
    trx: Transaction,
    organization_id: string,
    given: NewBranding,
    actor_id: string | null = null,
  ): Promise<Branding> => {
    const { name, client_fee_percent } = await organizations.load(trx, organization_id)
    const before = await brandings.find(trx, organization_id)
    const branding = rules.readBranding(given, authUrl, before?.currencies)
    const at = now()
    const times = { created_at: at, updated_at: at }
    const saved = await brandings.put(trx, { organization_id, ...branding, ...times })
    const details = {
      ...{ organization_id, return_link: saved.return_link },
      return_link_before: before?.return_link ?? null,
      ...(given.reason === undefined ? {} : { reason: given.reason }),
    }
    await audit.note(trx, 'branding.changed', { actor_id, details })
    return { ...saved, name, client_fee_percent }
  }

  /** An organization that has set none is not shown to strangers. */
  const find = async (path_or_id: string): Promise<Branding | undefined> => {
    const organization = await organizations.findByPathOrId(path_or_id)
    const branding = organization && (await brandings.find(db, organization.id))
    if (!branding) return undefined
    const { name, client_fee_percent } = organization
    return { ...branding, name, client_fee_percent }
  }

  return {
    put,

    /** By partner path or uuid. */
    async branding(path_or_id: string): Promise<Branding> {
      const branding = await find(path_or_id)
      if (!branding) throw new rules.UnknownPartnerError()
      return branding
    },

    isKnown: async (path_or_id: string): Promise<boolean> => (await find(path_or_id)) !== undefined,

    async setBranding(caller: Principal, path_or_id: string, given: NewBranding) {
      const organization = await organizations.findByPathOrId(path_or_id)
      if (!organization) throw new UnknownOrganizationError()
      organizations.assertMay(caller, organization.id, 'organization:write')
      return transact(db, (trx) => put(trx, organization.id, given, caller.user_id))
    },
  }
}
