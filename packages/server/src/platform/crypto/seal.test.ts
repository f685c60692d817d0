import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSealer } from './seal.ts'

const [old, fresh] = [randomBytes(32), randomBytes(32)]
const sealer = createSealer([old])

describe('a sealed item', () => {
  it('opens to the original, and does not contain it', () => {
    const sealedText = sealer.seal('a secret', 'user 1')
    expect(sealer.open(sealedText, 'user 1').toString()).toBe('a secret')
    expect(sealedText).not.toContain(Buffer.from('a secret').toString('base64url'))
    expect(sealer.seal('a secret', 'user 1')).not.toBe(sealedText)
  })

  it('a sealed item does not open for another purpose', () => {
    expect(() => sealer.open(sealer.seal('a', 'user 1'), 'user 2')).toThrow('belongs elsewhere')
  })

  it('a sealed item does not open after any change', () => {
    const parts = sealer.seal('a secret', 'user 1').split('.')
    const changes = parts.flatMap((part, place) =>
      // The last character of base64 may carry unused bits.
      Array.from({ length: part.length - 1 }, (_, at) => {
        const other = part[at] === 'A' ? 'B' : 'A'
        return parts.with(place, part.slice(0, at) + other + part.slice(at + 1)).join('.')
      }),
    )
    expect(changes.length).toBeGreaterThan(100)
    for (const changed of changes) {
      expect(() => sealer.open(changed, 'user 1')).toThrow('does not open')
    }
  })

  it('a sealed item is rewrapped under a new master key, and then opens without the old one', () => {
    const sealedText = sealer.seal('a secret', 'user 1')
    const rewrapped = createSealer([fresh, old]).rewrap(sealedText, 'user 1')

    expect(createSealer([fresh]).open(rewrapped, 'user 1').toString()).toBe('a secret')
    expect(() => createSealer([fresh]).open(sealedText, 'user 1')).toThrow('is not configured')
    expect(createSealer([fresh, old]).rewrap(rewrapped, 'user 1')).toBe(rewrapped)
  })
})
