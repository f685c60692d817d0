import { randomBytes } from 'node:crypto'
import { ristretto255 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'

/** A second implementation of the service's signatures and hashes, from their description. */

const { Point } = ristretto255
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const hash = (...parts: (string | Uint8Array)[]) =>
  blake2b(Buffer.concat(parts.map((part) => Buffer.from(part as string))), { dkLen: 32 })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const fromHex = (text: string) => Buffer.from(text, 'hex')

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
const toLittleEndian = (scalar: bigint): string =>
  hex(fromHex(scalar.toString(16).padStart(64, '0')).reverse())
const randomScalar = () => (littleEndian(randomBytes(64)) % (order - 1n)) + 1n

export type Signature = { nonce: string; signature: string }

/** Signs that an account may use a code for random ids. */
export const signActivation = (
  { pubkey, sign }: Pick<ReturnType<typeof keyPair>, 'pubkey' | 'sign'>,
  user_id: string,
  code_id: string,
) => {
  const text = `The account ${user_id} may use the code ${code_id}.`
  return { pubkey, ...sign('emojid/code-activation/v2', text) }
}

/** A user who holds a private key and signs with it. A known key is passed as hex. */
export function keyPair(private_key?: string) {
  const secret = private_key ? littleEndian(fromHex(private_key)) : randomScalar()
  const pubkey = Point.BASE.multiply(secret).toHex()
  const sign = (domain: string, message: string): Signature => {
    const k = randomScalar()
    const commitment = Point.BASE.multiply(k).toBytes()
    const e = littleEndian(hash(domain, commitment, fromHex(pubkey), message)) % order
    return { nonce: hex(commitment), signature: toLittleEndian((k + e * secret) % order) }
  }
  /** Shipped clients sign this way: the challenge covers the message alone. */
  const signBare = (message: string): Signature => {
    const k = randomScalar()
    const e = littleEndian(hash(message)) % order
    const nonce = Point.BASE.multiply(k).toHex()
    return { nonce, signature: toLittleEndian((k + e * secret) % order) }
  }
  return { pubkey, sign, signBare }
}

/** A bare signature without a private key: any s, and the matching R. */
export function forgeBare(pubkey: string, message: string): Signature {
  const s = randomScalar()
  const e = littleEndian(hash(message)) % order
  const nonce = Point.BASE.multiply(s).subtract(Point.fromHex(pubkey).multiply(e)).toHex()
  return { nonce, signature: toLittleEndian(s) }
}

/** s·G = R + e·P. */
export function isSigned(pubkey: string, domain: string, message: string, signature: Signature) {
  const e = littleEndian(hash(domain, fromHex(signature.nonce), fromHex(pubkey), message)) % order
  const s = littleEndian(fromHex(signature.signature))
  const right = Point.fromHex(signature.nonce).add(Point.fromHex(pubkey).multiply(e))
  return s < order && Point.BASE.multiply(s).equals(right)
}

/** The hash of a record with text data. */
export const textHash = (tag: number, data: string): string =>
  hex(hash(Uint8Array.of(tag & 255, tag >> 8), data))

const join = (left: string, right: string) => hex(hash(fromHex(left), fromHex(right)))

export function rootOver(hashes: readonly string[]): string {
  if (hashes.length === 0) return hex(hash())
  let level = [...hashes].sort()
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) =>
      level.slice(2 * n, 2 * n + 2),
    )
    level = pairs.map(([left = '', right]) => (right === undefined ? left : join(left, right)))
  }
  return level[0] as string
}

/** The root of the path beside a record. */
export const rootFrom = (from: string, steps: readonly { side: string; hash: string }[]): string =>
  steps.reduce(
    (below, { side, hash: other }) => (side === 'left' ? join(other, below) : join(below, other)),
    from,
  )
