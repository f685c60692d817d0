import { isDuplicate } from '../../../platform/database/faults.ts'
import type { Transaction } from '../../../tables.ts'
import { missingScope, type Principal } from '../../operations/access/access.ts'
import type { Deps } from './codes.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import { hmacsOf, sealText } from './seal-code.ts'

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

/** The row of a code with these terms; refuses the text of another code. */
export async function toRow(
  deps: Deps,
  trx: Transaction,
  id: string,
  { pattern, redemption_code, ...terms }: rules.Terms,
) {
  if (redemption_code !== null) {
    // The unique index compares hashes under one master key only.
    const sameCode = await codes.findTypedToChange(trx, hmacsOf(deps, redemption_code))
    if (sameCode && sameCode.id !== id) throw rules.redemptionCodeTaken()
  }
  return {
    ...terms,
    ...sealText(deps, id, redemption_code),
    pattern: pattern && JSON.stringify(pattern),
    updated_at: deps.now(),
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
