import type { Transaction } from '../../../tables.ts'
import type { Deps } from './emoji-ids.ts'
import * as rules from './rules.ts'
import type { Grant } from './schema.ts'

/** The key that an id of a new owner is bound to. */
export async function resolveKey(
  deps: Deps,
  trx: Transaction,
  { user_id, organization_id, pubkey: text, reason }: Grant,
) {
  const { organizations, keys, accounts, removals } = deps
  if ([user_id, organization_id, text].filter(Boolean).length !== 1)
    throw rules.missingOwner('user_id, organization_id and pubkey')
  if (organization_id) {
    await organizations.loadOrganizationToChange(trx, organization_id)
    await assertMayGiveTo(deps, trx, organization_id, reason)
    return keys.loadKeyOfOrganization(trx, organization_id)
  }
  if (user_id) {
    const user = await accounts.loadAccountToChange(trx, user_id)
    rules.assertActive(user)
    await removals.assertMayGive(trx, user, reason)
    const [first] = (await keys.findPubkeys(trx, [user_id])).get(user_id) ?? []
    return assertUsableKey(deps, trx, first ?? '')
  }
  const pubkey = await assertUsableKey(deps, trx, text?.toLowerCase() ?? '')
  const key = await keys.findKey(trx, pubkey)
  const holder = key?.user_id
  if (key?.organization_id) await assertMayGiveTo(deps, trx, key.organization_id, reason)
  if (holder) {
    const user = await accounts.findAccountToChange(trx, holder)
    rules.assertActive(user)
    await removals.assertMayGive(trx, user, reason)
  }
  return pubkey
}

/** Operators can give ids to an organization of removed people, but have to say why. */
export async function assertMayGiveTo(
  { organizations }: Deps,
  trx: Transaction,
  organization_id: string,
  reason: string | undefined,
): Promise<void> {
  if (reason || !(await organizations.isHeldByBarred(trx, organization_id))) return
  throw rules.removedOrganization()
}

/** Refuses a key that is not the buyer's. */
export async function assertKeyOfBuyer(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  pubkey: string,
): Promise<void> {
  const own = await deps.keys.findKeysOf(trx, user_id)
  const key = own.find((one) => one.pubkey === pubkey)
  if (!key) throw rules.foreignKey()
  assertUsable(key)
}

/** The key that the buyer named, or the buyer's first. */
export async function resolveKeyForBuyer(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  named: string | null,
): Promise<string> {
  const own = await deps.keys.findKeysOf(trx, user_id)
  return own.find(({ pubkey }) => pubkey === named)?.pubkey ?? assertUsable(own[0])
}

async function assertUsableKey({ keys }: Deps, trx: Transaction, pubkey: string): Promise<string> {
  return assertUsable(await keys.findKey(trx, pubkey))
}

type Key = { pubkey: string; sealed_private_key: string | null; proven_at: Date | null }

function assertUsable(key: Key | undefined): string {
  if (!key || (!key.sealed_private_key && !key.proven_at)) throw rules.uselessKey()
  return key.pubkey
}
