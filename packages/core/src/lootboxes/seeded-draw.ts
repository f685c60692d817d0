import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Answers whole numbers from 0, below the one given. */
export type Draw = (below: number) => number

const bytes = 6

/** One number has this many values. */
export const drawRange = 2 ** (8 * bytes)

/**
 * Numbers that look random and come the same for the same seed: HMAC-SHA256(seed, counter) gives
 * five of six bytes each, and the next is taken where a remainder would favour small numbers.
 */
export function seededDraw(seed: Uint8Array): Draw {
  const keyed = hmac.create(sha256, seed)
  let block: Uint8Array = new Uint8Array()
  let counter = 0
  let used = 0
  const next = (): number => {
    if (used + bytes > block.length) {
      const message = utf8ToBytes(String(counter++))
      block = keyed.clone().update(message).digest()
      used = 0
    }
    let number = 0
    for (const end = used + bytes; used < end; used++) number = number * 256 + (block[used] ?? 0)
    return number
  }
  return (below) => {
    const fair = drawRange - (drawRange % below)
    for (;;) {
      const drawn = next()
      if (drawn < fair) return drawn % below
    }
  }
}
