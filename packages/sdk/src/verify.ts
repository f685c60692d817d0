/**
 * Verifies that the owner of an id signed its records: `createClient({ api, verify: verifyProof
 * })`.
 */
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
 * Returns the key that signed; throws `ProofError`. The signed message is computed from the
 * requested id and the records, and never taken from the response. The signature cannot tell whose
 * key it is: compare it with the one you saw before.
 */
export function verifyProof({ id, pubkey, merkle_root, signature, records }: Proof): string {
  for (const { tag, data, hash, proof } of records) {
    if (recordHash(tag, data) !== hash || !verifyMerkleProof(hash, proof, merkle_root)) {
      throw new ProofError(
        'record',
        `A record of ${id} (${tag}) is not part of the signed records.`,
      )
    }
  }
  // Each record may be valid while others are missing.
  if (merkleRoot(records.map(({ hash }) => hash)) !== merkle_root) {
    throw new ProofError(
      'root',
      `The records of ${id} are incomplete: some signed records are missing.`,
    )
  }
  if (!signature || !pubkey) {
    throw new ProofError('unsigned', `The owner of ${id} has not signed its records.`)
  }
  if (signature.signer !== pubkey) {
    throw new ProofError(
      'signer',
      `The records of ${id} are signed by another key than its owner’s.`,
    )
  }
  if (!isSigned(pubkey, signedMessage(id, merkle_root), signature)) {
    throw new ProofError('signature', `The signature of the records of ${id} is invalid.`)
  }
  return pubkey
}

function isSigned(
  pubkey: string,
  message: string,
  proof: { nonce: string; signature: string },
): boolean {
  return isSchnorrSignature(Point, pubkey, proof, (nonce, holder) =>
    schnorrChallenge(Point.Fn, signingDomain, nonce, holder, message),
  )
}
