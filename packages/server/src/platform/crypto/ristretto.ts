import { randomBytes } from 'node:crypto'
import {
  hashToScalar,
  isSchnorrSignature,
  type SchnorrSignature,
  schnorrChallenge,
} from '@emojid/core'
import { ristretto255 } from '@noble/curves/ed25519.js'
import sodium from 'libsodium-wrappers-sumo'

const { Point } = ristretto255
const { Fn } = Point
await sodium.ready

export type KeyPair = { private_key: Uint8Array; pubkey: string }
export type Signature = SchnorrSignature

/** A new Ristretto255 pair; the public key as 64 lower-case hex digits. */
export function generateKeyPair(): KeyPair {
  const private_key = Fn.toBytes(randomScalar())
  return { private_key, pubkey: hex(publicHalf(private_key)) }
}

/** True if these are the bytes of a valid public key. */
export function isPubkey(text: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(text)) return false
  try {
    return !Point.fromHex(text).equals(Point.ZERO)
  } catch {
    return false
  }
}

/**
 * Schnorr: e = BLAKE2b-256(domain ‖ R ‖ P ‖ message), s = k + e·x. The public key is computed once
 * for many messages.
 */
export function createSigner(private_key: Uint8Array, domain: string) {
  const secret = Fn.fromBytes(private_key)
  const pubkey = publicHalf(private_key)
  return (message: string): Signature => {
    const k = randomScalar()
    const nonce = publicHalf(Fn.toBytes(k))
    const s = Fn.add(k, Fn.mul(schnorrChallenge(Fn, domain, nonce, pubkey, message), secret))
    return { nonce: hex(nonce), signature: hex(Fn.toBytes(s)) }
  }
}

export function verify(
  pubkey: string,
  domain: string,
  message: string,
  signature: Signature,
): boolean {
  return isSchnorrSignature(Point, pubkey, signature, (nonce, holder) =>
    schnorrChallenge(Fn, domain, nonce, holder, message),
  )
}

/**
 * The scheme of shipped clients: e = BLAKE2b-256(message). Without R and P in the hash, such a
 * signature can be forged, so it proves nothing.
 */
export function verifyBare(pubkey: string, message: string, signature: Signature): boolean {
  return isSchnorrSignature(Point, pubkey, signature, () => hashToScalar(Fn, Buffer.from(message)))
}

/** Constant time for secrets, and three times as fast as in JavaScript. */
const publicHalf = (secret: Uint8Array): Uint8Array =>
  sodium.crypto_scalarmult_ristretto255_base(secret)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function randomScalar(): bigint {
  // 64 bytes, to avoid modulo bias.
  const scalar = Fn.create(BigInt(`0x${randomBytes(64).toString('hex')}`))
  return scalar === 0n ? randomScalar() : scalar
}
