import { ServiceError } from '../errors.ts'

/** So much at once, and so much more each second. */
export type Allowed = { atOnce: number; perSecond: number }

/** Networks whose past is remembered; the one that has not come for longest is forgotten first. */
const remembered = 10_000

/**
 * Shares work out by what it costs, which is often known only afterwards: to each network its part,
 * and to all together no more than the process can do beside its lookups. Whoever has used up more
 * than that waits until it is paid back.
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
    /** Refuses those who have nothing left. */
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
    super('limited', 'rate_limited', 'You asked for too much. Wait before asking for more.', {
      retry_after_seconds: Math.ceil(seconds),
    })
  }
}
