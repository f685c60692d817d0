import type { Signature } from '../../../platform/crypto/ristretto.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { Code } from './table.ts'

/** Activates a code for random ids by a signature of an allowed key over the caller's id. */
export async function activateCode(
  deps: Deps,
  trx: Transaction,
  { user_id }: Principal,
  code_id: string,
  proof: Signature & { pubkey: string },
): Promise<Code> {
  const { now, accounts, audit } = deps
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
  const user = await accounts.findAccount(user_id, trx)
  if (!isSignedActivation(deps, code, pubkey, user?.alternate_id ?? user_id, proof)) {
    throw new rules.InvalidCodeError()
  }
  const nonce = proof.nonce.toLowerCase()
  if (!(await codes.takeNonce(trx, { code_id, nonce, user_id, used_at: now() }))) {
    throw new rules.InvalidCodeError()
  }
  await audit.writeEntry(trx, 'code.activated', { actor_id: user_id, details: { code_id, pubkey } })
  return code
}

function isSignedActivation(
  { keys, now, legacyUntil }: Deps,
  code: Code,
  pubkey: string,
  message: string,
  proof: Signature,
): boolean {
  const signature = {
    nonce: proof.nonce.toLowerCase(),
    signature: proof.signature.toLowerCase(),
  }
  return (
    keys.isSignedBy(pubkey, 'emojid/code-activation/v1', message, signature) ||
    (code.legacy_challenge &&
      now() < legacyUntil &&
      keys.isWeaklySignedBy(pubkey, message, signature))
  )
}
