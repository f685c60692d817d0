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
  const ownersOf = (pool: Pool) =>
    frequent(
      uses.filter((use) => use.pool === pool).map(({ owner_id }) => `${pool} ${owner_id}`),
      connections[pool].perOwner,
    )
  return {
    isFull: uses.length >= connections.inTotal,
    pools: frequentPools(inPools),
    owners: pools.flatMap(ownersOf),
    hosts: frequent(
      uses.map(({ host }) => host),
      connections.perHost,
    ),
  }
}

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

/** An owner cannot exceed the limit with deliveries that take long. */
function roomFor(uses: readonly Use[], { pool, owner_id, host }: Use, now: number): number {
  const { inTotal, perOwner } = connections[pool]
  const count = (fits: (use: Use) => boolean) => uses.filter(fits).length
  return Math.min(
    connections.inTotal - uses.length,
    inTotal - count((use) => currentPool(use, now) === pool),
    perOwner - count((use) => use.pool === pool && use.owner_id === owner_id),
    connections.perHost - count((use) => use.host === host),
  )
}

/**
 * Whether the addresses of a resolved name have a free connection. Many names can have one address,
 * so names are not enough to protect a server.
 */
export function isFree(uses: Iterable<Use>, { pool }: Use, addresses: readonly string[]): boolean {
  const isHealthy = pool === 'healthy'
  const same = [...uses].filter((use) => (use.pool === 'healthy') === isHealthy)
  return addresses.every(
    (address) => same.filter((use) => use.addresses.includes(address)).length < connections.perHost,
  )
}

/** Texts that occur at least so often. */
function frequent(texts: readonly string[], atLeast: number): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= atLeast).map(([text]) => text)
}
