import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

type Element<Self> = {
  add(other: Self): Self
  multiply(scalar: bigint): Self
  equals(other: Self): boolean
  toBytes(): Uint8Array
}

/** Ristretto255, passed by the caller, so that bundles without verification contain no curve. */
type Group<Point extends Element<Point>> = {
  BASE: Point
  ZERO: Point
  fromHex(hex: string): Point
  Fn: Scalars & { fromBytes(bytes: Uint8Array): bigint }
}
type Scalars = { create(number: bigint): bigint }

/** R and s, 64 hex digits each. */
export type SchnorrSignature = { nonce: string; signature: string }

/** The domain separator of the proof of a key. */
export const proofDomain = 'emojid/pubkey-proof/v1'
/** The text whose signature proves a key. */
export const proofMessage = (pubkey: string, user_id: string): string =>
  `The key ${pubkey} belongs to the account ${user_id}.`

/** s·G = R + e·P, where `challengeOf` computes e from R and P. */
export function isSchnorrSignature<Point extends Element<Point>>(
  group: Group<Point>,
  pubkey: string,
  signature: SchnorrSignature,
  challengeOf: (nonce: Uint8Array, pubkey: Uint8Array) => bigint,
): boolean {
  try {
    const [holder, commitment] = [group.fromHex(pubkey), group.fromHex(signature.nonce)]
    const s = group.Fn.fromBytes(hexToBytes(signature.signature))
    if (s === 0n || holder.equals(group.ZERO)) return false
    const e = challengeOf(commitment.toBytes(), holder.toBytes())
    return group.BASE.multiply(s).equals(commitment.add(holder.multiply(e)))
  } catch {
    return false
  }
}

/** e = BLAKE2b-256(domain ‖ R ‖ P ‖ message). */
export const schnorrChallenge = (
  scalars: Scalars,
  domain: string,
  nonce: Uint8Array,
  pubkey: Uint8Array,
  message: string,
): bigint =>
  hashToScalar(scalars, concatBytes(utf8ToBytes(domain), nonce, pubkey, utf8ToBytes(message)))

/** BLAKE2b-256 as a little-endian number. */
export const hashToScalar = (scalars: Scalars, bytes: Uint8Array): bigint =>
  scalars.create(BigInt(`0x${bytesToHex(blake2b(bytes, { dkLen: 32 }).reverse())}`))
