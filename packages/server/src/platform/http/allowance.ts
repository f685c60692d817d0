import { refusal, type ServiceError } from '../errors.ts'
import { isIPv4, networksOfOne, ownShare, wideNetworkOf } from './network.ts'

/** A token bucket: its size, and its refill. */
export type AllowanceRate = { atOnce: number; perSecond: number }

/** Milliseconds. Tests stop this clock, because on a busy machine buckets refill as fast as they empty. */
export const refillClock = { now: () => performance.now() }

/** The deepest debt in sizes of the bucket: no single request may stop a network for longer. */
const deepestDebt = 2

/** Buckets kept in memory; the least recently used network is dropped first. */
const remembered = 10_000

/**
 * A rate limit by cost: a token bucket per network, per wide network and, with `all`, for the
 * process. The cost may be taken after the work, when it is known; a bucket in debt refuses until
 * its refill has paid it back.
 */
export function createAllowance(
  {
    each,
    all,
    refusal: refusalAfter = rateLimited,
  }: { each: AllowanceRate; all?: AllowanceRate; refusal?: (seconds: number) => ServiceError },
  now: () => number = () => refillClock.now(),
) {
  const whole = all ? [createBucket(all, now)] : []
  const narrow = createBuckets(each, now)
  const wide = createBuckets(
    { atOnce: networksOfOne * each.atOnce, perSecond: networksOfOne * each.perSecond },
    now,
  )
  const shareRate = { atOnce: ownShare * each.atOnce, perSecond: ownShare * each.perSecond }
  const shares = createBuckets({ ...shareRate, atOnce: Math.max(1, shareRate.atOnce) }, now)
  // One customer may have all of an IPv6 /48, so its networks have one share together.
  const shareOf = (network: string): Bucket =>
    shares(isIPv4(network) ? network : wideNetworkOf(network))
  const secondsInDebt = (network: string): number => {
    const buckets = [narrow(network)]
    const hasShare = shareOf(network).secondsInDebt() === 0
    if (!hasShare) buckets.push(...whole)
    // Strangers share a /16. A limit of a few requests cannot be shared.
    const passesWide = hasShare && isIPv4(network) && shareRate.atOnce >= 1
    if (!passesWide) buckets.push(wide(wideNetworkOf(network)))
    return Math.max(...buckets.map((bucket) => bucket.secondsInDebt()))
  }
  const assertLeft = (network: string): void => {
    const seconds = secondsInDebt(network)
    if (seconds > 0) throw refusalAfter(seconds)
  }
  /** A negative cost refunds tokens. */
  const take = (network: string, cost: number): void => {
    const buckets = [narrow(network), shareOf(network), wide(wideNetworkOf(network)), ...whole]
    for (const bucket of buckets) bucket.take(cost)
  }
  return {
    assertLeft,
    take,
    /** Admits optional work: returns false while in debt, instead of refusing the request. */
    trySpend(network: string, cost: number): boolean {
      if (secondsInDebt(network) > 0) return false
      take(network, cost)
      return true
    },
    /** Admits work whose cost is known, or refuses the request. */
    spend(network: string, cost: number): void {
      assertLeft(network)
      take(network, cost)
    },
    /**
     * Work whose cost is known afterwards. The reserved cost is taken first, so that concurrent
     * requests cannot exceed the limit together.
     */
    async spendOn<Result>(
      network: string,
      reserved: number,
      work: () => Promise<Result>,
      costOf: (result: Result) => number,
      costOfError = 0,
    ): Promise<Result> {
      assertLeft(network)
      take(network, reserved)
      const result = await work().catch((error) => {
        take(network, costOfError - reserved)
        throw error
      })
      take(network, costOf(result) - reserved)
      return result
    },
  }
}

function createBuckets(allowed: AllowanceRate, now: () => number) {
  const buckets = new Map<string, Bucket>()
  return (key: string): Bucket => {
    const bucket = buckets.get(key) ?? createBucket(allowed, now)
    buckets.delete(key)
    buckets.set(key, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > remembered && oldest !== undefined) buckets.delete(oldest)
    return bucket
  }
}

type Bucket = ReturnType<typeof createBucket>

function createBucket({ atOnce, perSecond }: AllowanceRate, now: () => number) {
  let [rest, at] = [atOnce, now()]
  const fill = () => {
    const elapsedMs = now() - at
    at += elapsedMs
    rest = Math.min(atOnce, rest + (elapsedMs / 1_000) * perSecond)
  }
  return {
    secondsInDebt(): number {
      fill()
      return rest > 0 ? 0 : (1 - rest) / perSecond
    },
    take(cost: number): void {
      fill()
      rest = Math.max(rest - cost, -deepestDebt * atOnce)
    },
  }
}

export const rateLimited = (seconds: number) =>
  refusal('limited', 'rate_limited', 'Rate limit reached. Wait before the next request.', {
    retry_after_seconds: Math.ceil(seconds),
  })
