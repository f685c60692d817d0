import type { Transaction } from '../../../tables.ts'
import type { LoadedOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

export async function findFees(
  { organizations, companyFeePercent }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  const partner = organization_id && (await organizations.findOrganization(trx, organization_id))
  return { client: partner ? partner.client_fee_percent : 0, company: companyFeePercent }
}

export async function assertPartner(
  { organizations }: Deps,
  trx: Transaction,
  organization_id: string | null,
) {
  if (organization_id === null || (await organizations.findOrganization(trx, organization_id)))
    return
  throw rules.unknownPartner()
}

/** Assigns the cart to the partner in whose flow it is filled. */
export async function enterPartnerFlow(
  deps: Deps,
  trx: Transaction,
  cart: LoadedOrder,
  path: string | null,
) {
  const { orders } = deps
  await assertPartner(deps, trx, path)
  const organization_id = rules.partnerOf(cart, path)
  if (organization_id !== cart.organization_id) {
    await orders.updateOrder(trx, cart.id, { organization_id })
  }
  const bears_client_fee = organization_id !== null
  return { fees: await findFees(deps, trx, organization_id), bears_client_fee }
}
