import { describe, expect, it } from 'vitest'
import { applyDifference } from './rules.ts'

const record = (tag: string, hash: string) => ({ tag, data: hash, hash })
const [btc, eth, ltc] = [record('0x1003', 'btc'), record('0x1004', 'eth'), record('0x1019', 'ltc')]
const name = record('0x0005', 'name')

describe('a waiting change', () => {
  it('a waiting change from before places were stored puts its new records last', () => {
    const difference = { removed: ['btc'], inserted: [ltc], places: null, recency: null }
    expect(applyDifference([btc, name, eth], difference)).toEqual([eth, name, ltc])
  })

  it('restores no record that was removed meanwhile, and loses none that is unknown to it', () => {
    const difference = { removed: [], inserted: [], places: ['ltc', 'btc'], recency: null }
    expect(applyDifference([btc, name], difference)).toEqual([btc, name])
    expect(applyDifference([btc, name, eth, ltc], difference)).toEqual([ltc, name, btc, eth])
  })
})
