import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'

/** Returns whole numbers from 0, below the argument. */
export type Draw = (below: number) => number

const bytes = 6

/** The number of values of one draw. */
export const drawRange = 2 ** (8 * bytes)

/**
 * Deterministic random numbers: HMAC-SHA256(seed, counter) yields five numbers of six bytes each.
 * Rejection sampling avoids modulo bias.
 */
export function seededDraw(seed: Uint8Array): Draw {
  const keyed = hmac.create(sha256, seed)
  let block: Uint8Array = new Uint8Array()
  let counter = 0
  let usedCount = 0
  const next = (): number => {
    if (usedCount + bytes > block.length) {
      const message = utf8ToBytes(String(counter++))
      block = keyed.clone().update(message).digest()
      usedCount = 0
    }
    let number = 0
    for (const end = usedCount + bytes; usedCount < end; usedCount++)
      number = number * 256 + (block[usedCount] ?? 0)
    return number
  }
  return (below) => {
    const fair = drawRange - (drawRange % below)
    for (;;) {
      const number = next()
      if (number < fair) return number % below
    }
  }
}
