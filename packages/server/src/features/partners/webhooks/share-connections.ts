import type { FullLanes, Lane } from './repository.ts'
import { connections, hostOf, lanesOf } from './rules.ts'

/** A connection in use. */
export type Use = { endpoint_id: string; isHealthy: boolean; owner_id: string; host: string }

export const useOf = (lane: Omit<Lane, 'busy' | 'due'>): Use => ({
  endpoint_id: lane.id,
  isHealthy: lane.is_healthy,
  owner_id: lane.organization_id ?? lane.user_id,
  host: hostOf(lane.url),
})

const limitsOf = (isHealthy: boolean) => (isHealthy ? connections.healthy : connections.other)

/** The pools, owners and hosts whose connections are all in use. */
export function findFull(uses: readonly Use[]): FullLanes {
  const poolOf = (isHealthy: boolean) => {
    const ofPool = uses.filter((use) => use.isHealthy === isHealthy)
    const { inTotal, perOwner } = limitsOf(isHealthy)
    const owners = ofPool.map(({ owner_id }) => owner_id)
    return { isFull: ofPool.length >= inTotal, owner_ids: frequent(owners, perOwner) }
  }
  const hosts = frequent(
    uses.map(({ host }) => host),
    connections.perHost,
  )
  return { healthy: poolOf(true), other: poolOf(false), hosts }
}

/** How many deliveries each endpoint gets now, beside the connections in use. */
export function shareConnections(uses: readonly Use[], lanes: readonly Lane[]) {
  const all = [...uses]
  const shares: { endpoint_id: string; limit: number }[] = []
  for (const lane of lanes) {
    const use = useOf(lane)
    const limit = Math.min(lane.due, lanesOf(lane.is_healthy) - lane.busy, roomFor(all, use))
    if (limit <= 0) continue
    shares.push({ endpoint_id: lane.id, limit })
    for (let nth = 0; nth < limit; nth++) all.push(use)
  }
  return shares
}

function roomFor(uses: readonly Use[], { isHealthy, owner_id, host }: Use): number {
  const { inTotal, perOwner } = limitsOf(isHealthy)
  const ofPool = uses.filter((use) => use.isHealthy === isHealthy)
  const ofOwner = ofPool.filter((use) => use.owner_id === owner_id)
  const ofHost = uses.filter((use) => use.host === host)
  return Math.min(
    inTotal - ofPool.length,
    perOwner - ofOwner.length,
    connections.perHost - ofHost.length,
  )
}

/** Texts that occur at least so often. */
function frequent(texts: readonly string[], atLeast: number): string[] {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].filter(([, count]) => count >= atLeast).map(([text]) => text)
}
