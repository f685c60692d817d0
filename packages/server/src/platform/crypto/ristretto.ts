import { randomBytes } from 'node:crypto'
import { ristretto255 } from '@noble/curves/ed25519.js'

const { Point } = ristretto255
const { Fn } = Point

export type KeyPair = { private_key: Uint8Array; pubkey: string }

/** A new Ristretto255 pair; the public key as 64 lower-case hex digits. */
export function generateKeyPair(): KeyPair {
  // 64 bytes, so that the remainder leans towards no number.
  const scalar = Fn.create(BigInt(`0x${randomBytes(64).toString('hex')}`))
  if (scalar === 0n) return generateKeyPair()
  return { private_key: Fn.toBytes(scalar), pubkey: Point.BASE.multiply(scalar).toHex() }
}
