import { randomBytes } from 'node:crypto'
import { ristretto255 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import sodium from 'libsodium-wrappers-sumo'

const { Point } = ristretto255
const { Fn } = Point
await sodium.ready

export type KeyPair = { private_key: Uint8Array; pubkey: string }
/** R and s, 64 hex digits each. */
export type Signature = { nonce: string; signature: string }

/** A new Ristretto255 pair; the public key as 64 lower-case hex digits. */
export function generateKeyPair(): KeyPair {
  const private_key = Fn.toBytes(randomScalar())
  return { private_key, pubkey: hex(publicHalf(private_key)) }
}

/** Whether these are the bytes of a point that somebody can have the private key of. */
export function isPubkey(text: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(text)) return false
  try {
    return !Point.fromHex(text).equals(Point.ZERO)
  } catch {
    return false
  }
}

/**
 * Schnorr: e = BLAKE2b-256(domain ‖ R ‖ P ‖ message), s = k + e·x. The public half is worked out
 * once, however many messages are signed.
 */
export function createSigner(private_key: Uint8Array, domain: string) {
  const secret = Fn.fromBytes(private_key)
  const pubkey = publicHalf(private_key)
  return (message: string): Signature => {
    const k = randomScalar()
    const nonce = publicHalf(Fn.toBytes(k))
    const s = Fn.add(k, Fn.mul(challenge(domain, nonce, pubkey, message), secret))
    return { nonce: hex(nonce), signature: hex(Fn.toBytes(s)) }
  }
}

export function verify(pubkey: string, domain: string, message: string, given: Signature): boolean {
  return holds(pubkey, given, (nonce, holder) => challenge(domain, nonce, holder, message))
}

/**
 * The form of shipped clients: e = BLAKE2b-256(message). Without R and P in it anybody can make
 * such a signature, so it proves nothing about who did.
 */
export function verifyBare(pubkey: string, message: string, given: Signature): boolean {
  return holds(pubkey, given, () => toScalar(blake2b(Buffer.from(message), { dkLen: 32 })))
}

/** s·G = R + e·P. */
function holds(
  pubkey: string,
  given: Signature,
  challengeOf: (nonce: Uint8Array, holder: Uint8Array) => bigint,
): boolean {
  try {
    const [holder, commitment] = [Point.fromHex(pubkey), Point.fromHex(given.nonce)]
    const s = Fn.fromBytes(Buffer.from(given.signature, 'hex'))
    if (s === 0n || holder.equals(Point.ZERO)) return false
    const e = challengeOf(commitment.toBytes(), holder.toBytes())
    return Point.BASE.multiply(s).equals(commitment.add(holder.multiply(e)))
  } catch {
    return false
  }
}

function challenge(domain: string, nonce: Uint8Array, pubkey: Uint8Array, message: string): bigint {
  const bytes = Buffer.concat([Buffer.from(domain), nonce, pubkey, Buffer.from(message)])
  return toScalar(blake2b(bytes, { dkLen: 32 }))
}

/** Of secrets: takes as long for one as for another, and a third of the time that it takes in JavaScript. */
const publicHalf = (secret: Uint8Array): Uint8Array =>
  sodium.crypto_scalarmult_ristretto255_base(secret)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const toScalar = (digest: Uint8Array): bigint =>
  Fn.create(BigInt(`0x${Buffer.from(digest).reverse().toString('hex')}`))

function randomScalar(): bigint {
  // 64 bytes, so that the remainder leans towards no number.
  const scalar = Fn.create(BigInt(`0x${randomBytes(64).toString('hex')}`))
  return scalar === 0n ? randomScalar() : scalar
}
