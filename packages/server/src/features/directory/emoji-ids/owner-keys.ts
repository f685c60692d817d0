import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { Grant } from './schema.ts'

/** The key that an id of a new owner is bound to. */
export async function resolveKey(
  deps: Deps,
  trx: Transaction,
  { user_id, organization_id, pubkey: text }: Grant,
) {
  const { organizations, keys, accounts } = deps
  if ([user_id, organization_id, text].filter(Boolean).length !== 1)
    throw rules.missingOwner('user_id, organization_id and pubkey')
  if (organization_id) {
    await organizations.loadOrganizationToChange(trx, organization_id)
    return keys.loadKeyOfOrganization(trx, organization_id)
  }
  if (user_id) {
    rules.assertActive(await accounts.loadAccountToChange(trx, user_id))
    const [first] = (await keys.findPubkeys(trx, [user_id])).get(user_id) ?? []
    return assertUsableKey(deps, trx, first ?? '')
  }
  const pubkey = await assertUsableKey(deps, trx, text?.toLowerCase() ?? '')
  const holder = (await keys.findKey(trx, pubkey))?.user_id
  if (holder) rules.assertActive(await accounts.findAccountToChange(trx, holder))
  return pubkey
}

/** Refuses a key that is not the buyer's. */
export async function assertKeyOfBuyer(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  pubkey: string,
): Promise<void> {
  const { keys } = deps
  const own = (await keys.findPubkeys(trx, [user_id])).get(user_id) ?? []
  if (!own.includes(pubkey)) throw rules.foreignKey()
  await assertUsableKey(deps, trx, pubkey)
}

/** The key that the buyer named, or the buyer's first. */
export async function resolveKeyForBuyer(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  named: string | null,
): Promise<string> {
  const { keys } = deps
  const own = (await keys.findPubkeys(trx, [user_id])).get(user_id) ?? []
  return own.find((pubkey) => pubkey === named) ?? assertUsableKey(deps, trx, own[0] ?? '')
}

async function assertUsableKey({ keys }: Deps, trx: Transaction, pubkey: string): Promise<string> {
  const key = await keys.findKey(trx, pubkey)
  if (!key?.sealed_private_key && !key?.proven_at) throw rules.uselessKey()
  return pubkey
}
