/** Proves that records are those which the owner of an id signed: `createClient({ api, verify: verifyProof })`. */
import {
  isSchnorrSignature,
  merkleRoot,
  recordHash,
  schnorrChallenge,
  signedMessage,
  signingDomain,
  verifyMerkleProof,
} from '@emojid/core'
import { ristretto255 } from '@noble/curves/ed25519.js'
import type { Proof } from './directory/answers.ts'
import { ProofError } from './errors.ts'

const { Point } = ristretto255

/**
 * Answers the key that signed; throws `ProofError`. What is signed is made here from the id that was
 * asked for and from the records themselves, and nothing that the answer says about it is believed.
 * Whose key it is, the signature cannot tell: compare it with the one you saw before.
 */
export function verifyProof({ id, pubkey, merkle_root, signature, records }: Proof): string {
  for (const { tag, data, hash, proof } of records) {
    if (recordHash(tag, data) !== hash || !verifyMerkleProof(hash, proof, merkle_root)) {
      throw new ProofError('record', `A record of ${id} (${tag}) is not in what was signed.`)
    }
  }
  // Each record may fit and others be missing.
  if (merkleRoot(records.map(({ hash }) => hash)) !== merkle_root) {
    throw new ProofError('root', `The records of ${id} are not all that were signed.`)
  }
  if (!signature || !pubkey) {
    throw new ProofError('unsigned', `The owner of ${id} has not signed its records.`)
  }
  if (signature.signer !== pubkey) {
    throw new ProofError('signer', `The records of ${id} were signed by another key than has it.`)
  }
  if (!isSigned(pubkey, signedMessage(id, merkle_root), signature)) {
    throw new ProofError('signature', `The signature over the records of ${id} is wrong.`)
  }
  return pubkey
}

function isSigned(
  pubkey: string,
  message: string,
  given: { nonce: string; signature: string },
): boolean {
  return isSchnorrSignature(Point, pubkey, given, (nonce, holder) =>
    schnorrChallenge(Point.Fn, signingDomain, nonce, holder, message),
  )
}
