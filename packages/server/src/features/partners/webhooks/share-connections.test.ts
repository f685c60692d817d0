import { describe, expect, it } from 'vitest'
import type { Lane } from './repository.ts'
import { findFull, isFree, shareConnections, type Use } from './share-connections.ts'

const stalledMs = 13_000

const laneOf = (user_id: string, nth: number): Lane => ({
  id: `${user_id}-${nth}`,
  pool: 'healthy',
  owner_id: user_id,
  host: `healthy ${user_id}-${nth}.example.com`,
  busy: 0,
  due: 4,
})

/** The connections of owners that stall as many as they get, one owner after the other. */
function stall(owner_ids: readonly string[], endpoints: number): { uses: Use[]; now: number } {
  let uses: Use[] = []
  let now = 0
  // Every turn begins when the deliveries of the last one have left the pool of quick ones.
  for (let turn = 0; turn < 5; turn++, now += 2_100) {
    for (const user_id of owner_ids) {
      const full = findFull(uses, now)
      if (full.isFull || full.owners.includes(`healthy ${user_id}`)) continue
      const lanes = Array.from({ length: endpoints }, (_, nth) => laneOf(user_id, nth))
      for (const { limit, use } of shareConnections(uses, lanes, now)) {
        uses = [...uses, ...Array(limit).fill(use)]
      }
    }
    uses = uses.filter(({ since }) => now - since < stalledMs)
  }
  return { uses, now }
}

describe('connections', () => {
  it('connections are left for a quick endpoint while 16 owners stall all that they get', () => {
    const attackers = Array.from({ length: 16 }, (_, nth) => `attacker-${nth}`)
    const { uses, now } = stall(attackers, 8)
    expect(uses.length).toBeLessThan(400)
    const bystander = laneOf('bystander', 1)
    const { isFull, pools } = findFull(uses, now)
    expect([isFull, pools.includes('healthy')]).toEqual([false, false])
    expect(shareConnections(uses, [bystander], now)).toMatchObject([
      { endpoint_id: bystander.id, limit: 4 },
    ])
  })

  it.each(['healthy', 'unproven'] as const)(
    'connections to %s endpoints are left for a new owner while 50 accounts of a stranger take all that they get',
    (pool) => {
      const attackers = Array.from({ length: 50 }, (_, nth) => `attacker-${nth}`)
      const lanes = attackers.map((owner_id) => ({ ...laneOf(owner_id, 1), pool }))
      let uses: Use[] = []
      // Twice: a second turn must not take the reserve that the first one left.
      for (const now of [0, 100]) {
        const shares = shareConnections(uses, lanes, now)
        uses = [...uses, ...shares.flatMap(({ limit, use }) => Array<Use>(limit).fill(use))]
      }
      expect(shareConnections(uses, [{ ...laneOf('bystander', 1), pool }], 200)).toMatchObject([
        { endpoint_id: 'bystander-1' },
      ])
    },
  )

  it('to all addresses of an IPv6 /64 count together', () => {
    const use: Use = { ...laneOf('owner', 1), since: 0, addresses: [] }
    const uses = Array.from({ length: 16 }, (_, nth) => ({
      ...use,
      addresses: [`2001:db8:0:1::${nth + 1}`],
    }))
    expect(isFree(uses, use, ['2001:db8:0:1:ffff::1'])).toBe(false)
    expect(isFree(uses, use, ['2001:db8:0:2::1'])).toBe(true)
  })
})
