import { isDuplicate } from '../../../platform/database/faults.ts'
import type { Transaction } from '../../../tables.ts'
import { missingScope, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export type Scope = 'code:read' | 'code:write' | 'code:delete'

export function assertMayManage(
  { organizations }: Deps,
  caller: Principal,
  organization_id: string | undefined,
  scope: Scope,
) {
  if (caller.scopes.has(scope)) return
  if (organization_id === undefined) throw missingScope([scope])
  organizations.assertMayInOrganization(caller, organization_id, 'organizationCode:admin')
}

export function toRow({ now }: Deps, { pattern, ...terms }: rules.Terms) {
  return {
    ...terms,
    pattern: pattern && JSON.stringify(pattern),
    updated_at: now(),
  }
}

export function refuseTakenCode(error: unknown): never {
  throw isDuplicate(error) ? rules.redemptionCodeTaken() : error
}

export const findAuthor = (caller: Principal): rules.Author =>
  caller.scopes.has('code:write') ? 'operator' : 'partner'

/** A partner's code takes off at most the partner's fee. */
export async function assertOwnMoney(
  { organizations }: Deps,
  trx: Transaction,
  terms: rules.Terms,
  wasCombinable: boolean,
) {
  rules.assertSameCombinable(wasCombinable, terms)
  const partner = await organizations.findOrganization(trx, terms.organization_id ?? '')
  rules.assertWithinFee(terms, partner?.client_fee_percent ?? 0)
}
