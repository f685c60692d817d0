import { ServiceError } from '../errors.ts'

/** A token bucket: its size, and its refill. */
export type Allowed = { atOnce: number; perSecond: number }

export type Allowance = ReturnType<typeof createAllowance>

/** Buckets kept in memory; the least recently used network is dropped first. */
const remembered = 10_000

/**
 * A rate limit by cost: one token bucket per network and one for the process. The cost may be taken
 * after the work, when it is known; a bucket in debt refuses until its refill has paid it back.
 */
export function createAllowance(
  { each, all }: { each: Allowed; all: Allowed },
  now: () => number = () => performance.now(),
) {
  const networks = new Map<string, Bucket>()
  const whole = createBucket(all, now)
  const bucketOf = (network: string): Bucket => {
    const bucket = networks.get(network) ?? createBucket(each, now)
    networks.delete(network)
    networks.set(network, bucket)
    const [oldest] = networks.keys()
    if (networks.size > remembered && oldest !== undefined) networks.delete(oldest)
    return bucket
  }
  return {
    /** Throws while the network's bucket or the process's is in debt. */
    assertLeft(network: string): void {
      const seconds = Math.max(bucketOf(network).secondsInDebt(), whole.secondsInDebt())
      if (seconds > 0) throw new UsedUpError(seconds)
    },
    take(network: string, cost: number): void {
      bucketOf(network).take(cost)
      whole.take(cost)
    },
  }
}

type Bucket = ReturnType<typeof createBucket>

function createBucket({ atOnce, perSecond }: Allowed, now: () => number) {
  let [left, at] = [atOnce, now()]
  const fill = () => {
    const passed = now() - at
    at += passed
    left = Math.min(atOnce, left + (passed / 1_000) * perSecond)
  }
  return {
    secondsInDebt(): number {
      fill()
      return left > 0 ? 0 : (1 - left) / perSecond
    },
    take(cost: number): void {
      fill()
      left -= cost
    },
  }
}

class UsedUpError extends ServiceError {
  override readonly name = 'UsedUpError'
  constructor(seconds: number) {
    super('limited', 'rate_limited', 'Rate limit reached. Wait before the next request.', {
      retry_after_seconds: Math.ceil(seconds),
    })
  }
}
