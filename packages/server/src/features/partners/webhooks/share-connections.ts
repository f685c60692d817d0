import { isIPv6 } from 'node:net'
import { networkOf } from '../../../platform/http/network.ts'
import type { FullLanes, Lane, Place } from './repository.ts'
import { connections, isQuick, lanesOf, type Pool, pools } from './rules.ts'

/** A connection in use. */
export type Use = Place & {
  /** Once the name is resolved. */
  addresses: readonly string[]
  /** In milliseconds. */
  since: number
}

/** A delivery that takes long leaves the pool of the quick ones. */
const currentPool = ({ pool, since }: Use, now: number): Pool =>
  isQuick(now - since) ? pool : 'troubled'

/** The pools, owners and hosts whose connections are all in use. */
export function findFull(uses: readonly Use[], now: number): FullLanes {
  const inPools = uses.map((use) => currentPool(use, now))
  const owned = new Map<string, Use[]>()
  for (const use of uses) owned.set(use.owner_id, [...(owned.get(use.owner_id) ?? []), use])
  const fullOwners = (pool: Pool) => {
    const freeForAll = countFreeForAll(uses, pool, now)
    return [...owned].flatMap(([owner_id, own]) =>
      roomOfOwner(own, pool, freeForAll, now) <= 0 ? [`${pool} ${owner_id}`] : [],
    )
  }
  return {
    isFull: uses.length >= connections.inTotal,
    pools: pools.filter(
      (pool) => inPools.filter((one) => one === pool).length >= connections[pool].inTotal,
    ),
    owners: pools.flatMap(fullOwners),
    hosts: frequent(
      uses.map(({ host }) => host),
      connections.perHost,
    ),
  }
}

/** The last quarter of a pool and of all connections is left for owners that use few. */
function countFreeForAll(uses: readonly Use[], pool: Pool, now: number): number {
  const inPool = uses.filter((use) => currentPool(use, now) === pool).length
  return Math.min(
    withoutReserve(connections[pool].inTotal) - inPool,
    withoutReserve(connections.inTotal) - uses.length,
  )
}

/**
 * The free connections of an owner in a pool. An owner cannot exceed the limit with deliveries that
 * take long: they lower it.
 */
function roomOfOwner(own: readonly Use[], pool: Pool, freeForAll: number, now: number): number {
  const { perOwner } = connections[pool]
  const isSlow = own.some(({ since }) => !isQuick(now - since))
  const share = isSlow ? Math.min(perOwner, connections.perSlowOwner) : perOwner
  const inPool = own.filter((use) => use.pool === pool).length
  const few = Math.min(share, connections.fewOfOwner) - inPool
  return Math.min(share - inPool, Math.max(few, freeForAll))
}

const withoutReserve = (all: number): number => all * 0.75

/** How many deliveries each endpoint gets now, beside the connections in use. */
export function shareConnections(uses: readonly Use[], lanes: readonly Lane[], since: number) {
  const all = [...uses]
  const shares: { endpoint_id: string; limit: number; use: Use }[] = []
  for (const { id, busy, due, pool, owner_id, host } of lanes) {
    const use: Use = { pool, owner_id, host, addresses: [], since }
    const limit = Math.min(due, lanesOf(pool) - busy, roomFor(all, use, since))
    if (limit <= 0) continue
    shares.push({ endpoint_id: id, limit, use })
    for (let nth = 0; nth < limit; nth++) all.push(use)
  }
  return shares
}

function roomFor(uses: readonly Use[], use: Use, now: number): number {
  const { pool, owner_id, host } = use
  const own = uses.filter((one) => one.owner_id === owner_id)
  const count = (fits: (use: Use) => boolean) => uses.filter(fits).length
  return Math.min(
    connections.inTotal - uses.length,
    connections[pool].inTotal - count((one) => currentPool(one, now) === pool),
    roomOfOwner(own, pool, countFreeForAll(uses, pool, now), now),
    connections.perHost - count((one) => one.host === host),
  )
}

/**
 * Whether the addresses of a resolved name have a free connection. Many names can have one address,
 * so names are not enough to protect a server. One customer has all addresses of an IPv6 /64.
 */
export function isFree(uses: Iterable<Use>, { pool }: Use, addresses: readonly string[]): boolean {
  const isHealthy = pool === 'healthy'
  const same = [...uses].filter((use) => (use.pool === 'healthy') === isHealthy)
  const countOf = (server: string) =>
    same.filter((use) => use.addresses.some((address) => serverOf(address) === server)).length
  return addresses.every((address) => countOf(serverOf(address)) < connections.perHost)
}

const serverOf = (address: string): string => (isIPv6(address) ? networkOf(address) : address)

/** Texts that occur at least so often. */
function frequent(texts: readonly string[], atLeast: number): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= atLeast).map(([text]) => text)
}
