import { type Signature, verify } from '../../../platform/crypto/ristretto.ts'
import { transact } from '../../../platform/database/database.ts'
import type { MaybeWhy } from '../../../platform/http/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { announceKey, giveKey } from './give-key.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** Lists a key whose private half is elsewhere. It owns no id until it is proven. */
export async function addKey(
  deps: Deps,
  caller: Principal,
  user_id: string,
  text: string,
  { reason }: MaybeWhy = {},
) {
  const { db, audit } = deps
  const pubkey = rules.readPubkey(text)
  return transact(db, async (trx) => {
    const give = async () => {
      if (await keys.find(trx, pubkey)) return false
      await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'unproven'))
      return insertForeignKey(deps, trx, user_id, pubkey)
    }
    const isNew = await giveKey(trx, caller, user_id, give)
    const listed = isNew ? undefined : await keys.find(trx, pubkey)
    if (listed && listed.user_id !== user_id) {
      throw rules.isSettled(listed) ? rules.keyProven() : rules.keyTaken()
    }
    if (isNew) {
      const noted = { actor_id: caller.user_id, subject_id: user_id }
      await audit.writeEntry(trx, 'pubkey.added', { ...noted, details: { pubkey, reason } })
    }
    return pubkey
  })
}

/** A signature by the key gives it to the caller, even if another user has listed it. */
export async function proveKey(
  deps: Deps,
  caller: Principal,
  text: string,
  given: Signature,
): Promise<string> {
  const { db, now, audit } = deps
  const { user_id } = caller
  const pubkey = rules.readPubkey(text)
  const signature = {
    nonce: given.nonce.toLowerCase(),
    signature: given.signature.toLowerCase(),
  }
  if (!verify(pubkey, rules.proofDomain, rules.proofMessage(pubkey, user_id), signature)) {
    throw rules.wrongProof()
  }
  return transact(db, async (trx) => {
    await giveKey(trx, caller, user_id, async () => {
      await insertForeignKey(deps, trx, user_id, pubkey)
      const listed = await keys.findToChange(trx, pubkey)
      const isSettled = !listed || rules.isSettled(listed)
      if (isSettled && listed?.user_id !== user_id) throw rules.keyProven()
      if (isSettled) return
      await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'proven'))
      await keys.prove(trx, pubkey, user_id, now())
    })
    await audit.writeEntry(trx, 'pubkey.proven', { actor_id: user_id, details: { pubkey } })
    return pubkey
  })
}

/** Returns false if the key is listed already. */
function insertForeignKey({ now }: Deps, trx: Transaction, user_id: string, pubkey: string) {
  const row = { pubkey, user_id, organization_id: null, sealed_private_key: null }
  return keys.insert(trx, { ...row, proven_at: null, created_at: now() })
}
