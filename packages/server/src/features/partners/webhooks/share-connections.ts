import { isIPv6 } from 'node:net'
import { networkOf } from '../../../platform/http/network.ts'
import type { FullLanes, Lane } from './repository.ts'
import { connections, hostOf, isQuick, lanesOf, type Pool, poolOf, pools } from './rules.ts'

/** A connection in use. */
export type Use = {
  pool: Pool
  owner_id: string
  /** With a separate count for healthy endpoints. */
  host: string
  /** Once the name is resolved. */
  addresses: readonly string[]
  /** In milliseconds. */
  since: number
}

export const useOf = (lane: Omit<Lane, 'busy' | 'due'>, since: number): Use => {
  const pool = poolOf(lane)
  const owner_id = lane.organization_id ?? lane.user_id
  return { pool, owner_id, host: hostKey(pool, hostOf(lane.url)), addresses: [], since }
}

/** As `lockLanes` writes it. */
const hostKey = (pool: Pool, host: string): string =>
  `${pool === 'healthy' ? 'healthy' : 'other'} ${host}`

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
    pools: frequentPools(inPools),
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

const frequentPools = (inPools: readonly Pool[]): Pool[] =>
  pools.filter((pool) => inPools.filter((one) => one === pool).length >= connections[pool].inTotal)

/** How many deliveries each endpoint gets now, beside the connections in use. */
export function shareConnections(uses: readonly Use[], lanes: readonly Lane[], now: number) {
  const all = [...uses]
  const shares: { endpoint_id: string; limit: number }[] = []
  for (const lane of lanes) {
    const use = useOf(lane, now)
    const limit = Math.min(lane.due, lanesOf(lane.is_healthy) - lane.busy, roomFor(all, use, now))
    if (limit <= 0) continue
    shares.push({ endpoint_id: lane.id, limit })
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
