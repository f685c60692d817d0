import { type Signature, verify } from '../../../platform/crypto/ristretto.ts'
import { transact } from '../../../platform/database/database.ts'
import type { OptionalReasonBody } from '../../../platform/http/schemas.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import { announceKey, withKeyLimit } from './key-limit.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** Lists a public key whose private key is elsewhere. It owns no id until it is proven. */
export async function addKey(
  deps: Deps,
  caller: Principal,
  user_id: string,
  text: string,
  { reason }: OptionalReasonBody = {},
) {
  const { db, audit } = deps
  const pubkey = rules.readPubkey(text)
  return transact(db, async (trx) => {
    const add = async () => {
      if (await keys.find(trx, pubkey)) return false
      await announceKey(deps, trx, user_id, rules.addedSentence(pubkey, 'unproven'))
      return insertForeignKey(deps, trx, user_id, pubkey)
    }
    const isNew = await withKeyLimit(trx, caller, user_id, add)
    const listedKey = isNew ? undefined : await keys.find(trx, pubkey)
    if (listedKey && listedKey.user_id !== user_id) {
      throw rules.isSettled(listedKey) ? rules.provenKey() : rules.listedKey()
    }
    if (isNew) {
      const entry = { actor_id: caller.user_id, subject_id: user_id }
      await audit.writeEntry(trx, 'pubkey.added', { ...entry, details: { pubkey, reason } })
    }
    return pubkey
  })
}

/** Moves a key to the caller who signs with it, even if another user has listed it. */
export async function proveKey(
  deps: Deps,
  caller: Principal,
  text: string,
  proof: Signature,
): Promise<string> {
  const { db, now, audit } = deps
  const { user_id } = caller
  const pubkey = rules.readPubkey(text)
  const signature = {
    nonce: proof.nonce.toLowerCase(),
    signature: proof.signature.toLowerCase(),
  }
  if (!verify(pubkey, rules.proofDomain, rules.proofMessage(pubkey, user_id), signature)) {
    throw rules.wrongProof()
  }
  return transact(db, async (trx) => {
    await withKeyLimit(trx, caller, user_id, async () => {
      await insertForeignKey(deps, trx, user_id, pubkey)
      const listedKey = await keys.findToChange(trx, pubkey)
      const isSettled = !listedKey || rules.isSettled(listedKey)
      if (isSettled && listedKey?.user_id !== user_id) throw rules.provenKey()
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
