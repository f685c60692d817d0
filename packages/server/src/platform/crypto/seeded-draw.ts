import { createHmac } from 'node:crypto'

const bits = 48
const range = 2 ** bits

/**
 * Whole numbers below a bound that look random and come the same for the same seed:
 * HMAC-SHA256(seed, counter), taken anew where a remainder would favour small numbers.
 */
export function seededDraw(seed: Uint8Array): (below: number) => number {
  let counter = 0
  const next = (): number => {
    const block = createHmac('sha256', seed).update(String(counter++)).digest()
    return block.readUIntBE(0, bits / 8)
  }
  return (below) => {
    const fair = range - (range % below)
    for (;;) {
      const drawn = next()
      if (drawn < fair) return drawn % below
    }
  }
}
