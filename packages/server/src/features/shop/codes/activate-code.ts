import type { Signature } from '../../../platform/crypto/ristretto.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Deps } from './codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'

/** Activates a code for random ids by a signature of an allowed key that names the caller. */
export async function activateCode(
  deps: Deps,
  trx: Transaction,
  { user_id }: Principal,
  code_id: string,
  proof: Signature & { pubkey: string },
): Promise<Code> {
  const { now, keys, audit } = deps
  // Locks the code before rows that refer to it are written, so that concurrent requests wait here
  // and cannot deadlock later.
  const code = await codes.findToChange(trx, code_id)
  if (!rules.isInForce(code, now()) || !rules.isSignedFor(code)) {
    throw new rules.InvalidCodeError()
  }
  const [uses] = code.max_uses === null ? [] : await codes.countUses(trx, [code_id])
  if (uses && uses.all >= (code.max_uses ?? 0)) throw new rules.InvalidCodeError()
  const pubkey = proof.pubkey.toLowerCase()
  const allowedKeys = await codes.findPubkeys(trx, [code_id])
  if (!allowedKeys.some((one) => one.pubkey === pubkey)) throw new rules.InvalidCodeError()
  const nonce = proof.nonce.toLowerCase()
  const signature = { nonce, signature: proof.signature.toLowerCase() }
  const text = rules.activationText(user_id, code.id)
  const isSigned =
    keys.isSignedBy(pubkey, 'emojid/code-activation/v2', text, signature) ||
    (await isSignedByName(deps, trx, code, user_id, pubkey, signature))
  if (!isSigned) throw new rules.InvalidCodeError()
  if (!(await codes.takeNonce(trx, { code_id, nonce, user_id, used_at: now() }))) {
    throw new rules.InvalidCodeError()
  }
  await audit.writeEntry(trx, 'code.activated', { actor_id: user_id, details: { code_id, pubkey } })
  return code
}

/**
 * The texts of older clients are the alternate id alone. A name that is the id of another account, from
 * before such names were refused, may be signed for that account.
 */
async function isSignedByName(
  { accounts, keys, now, legacyUntil }: Deps,
  trx: Transaction,
  code: Code,
  user_id: string,
  pubkey: string,
  signature: Signature,
): Promise<boolean> {
  const name = (await accounts.findAccount(user_id, trx))?.alternate_id
  if (!name || (await accounts.isAccountId(name, trx))) return false
  return (
    keys.isSignedBy(pubkey, 'emojid/code-activation/v1', name, signature) ||
    (code.legacy_challenge && now() < legacyUntil && keys.isWeaklySignedBy(pubkey, name, signature))
  )
}
