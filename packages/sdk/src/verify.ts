/** Proves that records are those which the owner of an id signed: `createClient({ api, verify: verifyProof })`. */
import {
  merkleRoot,
  recordHash,
  signedMessage,
  signingDomain,
  verifyMerkleProof,
} from '@emojid/core'
import { ristretto255 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Proof } from './directory/answers.ts'
import { ProofError } from './errors.ts'

const { Point } = ristretto255
const { Fn } = Point

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

/** Schnorr: s·G = R + e·P with e = BLAKE2b-256(domain ‖ R ‖ P ‖ message). */
function isSigned(pubkey: string, message: string, given: { nonce: string; signature: string }) {
  try {
    const [holder, commitment] = [Point.fromHex(pubkey), Point.fromHex(given.nonce)]
    const s = Fn.fromBytes(hexToBytes(given.signature))
    if (s === 0n || holder.equals(Point.ZERO)) return false
    const parts = [utf8ToBytes(signingDomain), commitment.toBytes(), holder.toBytes()]
    const digest = blake2b(concatBytes(...parts, utf8ToBytes(message)), { dkLen: 32 })
    const e = Fn.create(digest.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n))
    return Point.BASE.multiply(s).equals(commitment.add(holder.multiply(e)))
  } catch {
    return false
  }
}
