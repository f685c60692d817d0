import { generateKeyPair } from '../../../platform/crypto/ristretto.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { announceKey, type Owner, withKeyLimit } from './key-limit.ts'
import * as keys from './repository.ts'
import { idOf } from './rewrap-keys.ts'
import * as rules from './rules.ts'

export async function createCustodialKey(
  { sealer, now }: Deps,
  trx: Transaction,
  owner: Owner,
): Promise<string> {
  const { private_key, pubkey } = generateKeyPair()
  const sealed_private_key = sealer.seal(private_key, rules.placeOf(idOf(owner), pubkey))
  private_key.fill(0)
  const noOwner = { user_id: null, organization_id: null }
  const row = { ...noOwner, ...owner, pubkey, sealed_private_key, proven_at: null }
  await keys.insert(trx, { ...row, created_at: now() })
  return pubkey
}

/** The first key of an organization; created on first use. */
export async function loadKeyOfOrganization(
  deps: Deps,
  trx: Transaction,
  organization_id: string,
): Promise<string> {
  const [first] = await keys.findOfOrganization(trx, organization_id)
  return first?.pubkey ?? createCustodialKey(deps, trx, { organization_id })
}

export async function generateKey(deps: Deps, caller: Principal): Promise<string> {
  const { db, audit } = deps
  const { user_id } = caller
  return transact(db, async (trx) => {
    const pubkey = await withKeyLimit(trx, caller, user_id, () =>
      createCustodialKey(deps, trx, { user_id }),
    )
    await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'kept_here'))
    await audit.writeEntry(trx, 'pubkey.added', {
      actor_id: user_id,
      details: { pubkey, custodial: true },
    })
    return pubkey
  })
}
