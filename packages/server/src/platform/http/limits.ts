import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refusal, type ServiceError } from '../errors.ts'
import { isIPv4, networkOf, networksOfOne, ownShare, wideNetworkOf } from './network.ts'
import { openSharedBuckets, type SharedBucket } from './shared-buckets.ts'

/** A token bucket: its size, and its refill. */
type Rate = { atOnce: number; perSecond: number }

export type Budget = ReturnType<typeof createBudget>

/**
 * The cost of a request, taken before its work, such as `[searches, 60]`. The use case can take more
 * from the budget. `'by_use_case'`: it takes everything, because the cost depends on what it reads.
 */
export type Cost = readonly [budget: Budget, cost: number] | 'by_use_case'

/** Requests per minute, counted for each network or for what `keyOf` returns. */
export type PerMinute = number | readonly [requests: number, keyOf: KeyOf]
type KeyOf = (request: FastifyRequest) => string

/** Applies `config.cost` and `config.per_minute` of the routes of a site that are registered after it. */
export function countCosts(app: FastifyInstance, site: string): void {
  const budgets = new Map<string, Budget>()
  app.addHook('onRequest', async (request, reply) => {
    const { method, routeOptions } = request
    const { cost, per_minute } = routeOptions.config ?? {}
    if (typeof cost === 'object') cost[0].spend(networkOf(request.ip), cost[1])
    if (!per_minute) return
    // HEAD costs as much as GET.
    const route = `${method === 'HEAD' ? 'GET' : method} ${routeOptions.url}`
    const [requests, keyOf] = [per_minute].flat() as [number, KeyOf?]
    const each = { atOnce: requests, perSecond: requests / 60 }
    const budget = budgets.get(route) ?? createBudget(`${site} ${route}`, { each })
    budgets.set(route, budget)
    budget.spend(keyOf ? keyOf(request) : networkOf(request.ip), 1, reply)
  })
}

/** Milliseconds. Tests stop this clock, because on a busy machine buckets refill as fast as they empty. */
export const refillClock = { now: () => performance.now() }

let openShared: ((key: string) => SharedBucket) | undefined
const sharedNames = new Set<string>()

/** Keeps the buckets of all budgets in this file, for all processes that inherited it. */
export function shareBuckets(fd: number): void {
  openShared = openSharedBuckets(fd)
  // The clock of the machine: that of `performance` begins with the process.
  refillClock.now = () => Number(process.hrtime.bigint()) / 1e6
}

/** The deepest debt in sizes of the bucket: no single request may stop a network for longer. */
const deepestDebt = 2

/**
 * Buckets kept in memory; the least recently used network is dropped first. Shared ones keep only
 * their place in the file here.
 */
const remembered = { own: 10_000, shared: 1_000 }

/**
 * A rate limit by cost: a token bucket per network, per wide network and, with `all`, for the
 * process. The cost may be taken after the work, when it is known; a bucket in debt refuses until
 * its refill has paid it back. Processes share budgets of one name.
 */
export function createBudget(
  name: string,
  {
    each,
    all,
    refusal: refusalAfter = rateLimited,
  }: { each: Rate; all?: Rate; refusal?: (seconds: number) => ServiceError },
  now: () => number = () => refillClock.now(),
) {
  if (openShared) {
    if (sharedNames.has(name)) throw new Error(`Two budgets have the name ${name}`)
    sharedNames.add(name)
  }
  const open = (kind: string) =>
    openShared && ((network: string) => openShared?.(`${name} ${kind} ${network}`))
  const whole = all ? [new Bucket(all, now, open('all')?.(''))] : []
  const narrow = createBuckets(each, now, open('each'))
  const wide = createBuckets(
    { atOnce: networksOfOne * each.atOnce, perSecond: networksOfOne * each.perSecond },
    now,
    open('wide'),
  )
  const shareRate = {
    atOnce: Math.floor(ownShare * each.atOnce),
    perSecond: ownShare * each.perSecond,
  }
  const shares = createBuckets(
    { ...shareRate, atOnce: Math.max(1, shareRate.atOnce) },
    now,
    open('share'),
  )
  // One customer may have all of an IPv6 /48, so its networks have one share together.
  const shareOf = (network: string): Bucket =>
    shares(isIPv4(network) ? network : wideNetworkOf(network))
  /** The bucket whose debt takes longest to pay back; undefined if none is in debt. */
  const debtorOf = (network: string): Bucket | undefined => {
    const buckets = [narrow(network)]
    const hasShare = shareOf(network).secondsInDebt() === 0
    if (!hasShare) buckets.push(...whole)
    // Strangers share a /16. A limit of a few requests cannot be shared.
    const passesWide = hasShare && isIPv4(network) && shareRate.atOnce >= 1
    if (!passesWide) buckets.push(wide(wideNetworkOf(network)))
    const [deepest] = buckets.sort((one, other) => other.secondsInDebt() - one.secondsInDebt())
    return deepest && deepest.secondsInDebt() > 0 ? deepest : undefined
  }
  /** A refusal reports the bucket that is in debt. */
  const assertLeft = (network: string, reply?: FastifyReply): void => {
    const debtor = debtorOf(network)
    if (!debtor) return
    reply?.headers(debtor.headers())
    throw refusalAfter(debtor.secondsInDebt())
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
      if (debtorOf(network)) return false
      take(network, cost)
      return true
    },
    /** Admits work whose cost is known, or refuses the request. Tells `reply` what is left. */
    spend(network: string, cost: number, reply?: FastifyReply): void {
      assertLeft(network, reply)
      take(network, cost)
      reply?.headers(narrow(network).headers())
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

function createBuckets(
  allowed: Rate,
  now: () => number,
  open?: (key: string) => SharedBucket | undefined,
) {
  const buckets = new Map<string, Bucket>()
  const atMost = open ? remembered.shared : remembered.own
  return (key: string): Bucket => {
    const bucket = buckets.get(key) ?? new Bucket(allowed, now, open?.(key))
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > atMost) buckets.delete(buckets.keys().next().value as string)
    return bucket
  }
}

/** A class, because 10,000 networks of 50 routes can have one: closures take three times the memory. */
class Bucket {
  private readonly rate: Rate
  private readonly now: () => number
  private readonly shared: SharedBucket | undefined
  private rest: number
  private at: number

  constructor(rate: Rate, now: () => number, shared?: SharedBucket) {
    this.rate = rate
    this.now = now
    this.shared = shared
    this.rest = rate.atOnce
    this.at = now()
  }

  private fill(): void {
    const { atOnce, perSecond } = this.rate
    if (this.shared) {
      const stored = this.shared.read()
      this.rest = stored?.rest ?? atOnce
      this.at = stored?.at ?? this.now()
    }
    const elapsedMs = this.now() - this.at
    this.at += elapsedMs
    this.rest = Math.min(atOnce, this.rest + (elapsedMs / 1_000) * perSecond)
  }

  secondsInDebt(): number {
    this.fill()
    return this.rest > 0 ? 0 : (1 - this.rest) / this.rate.perSecond
  }

  take(cost: number): void {
    this.fill()
    const { atOnce, perSecond } = this.rate
    this.rest = Math.max(this.rest - cost, -deepestDebt * atOnce)
    const fullAt = this.at + ((atOnce - this.rest) / perSecond) * 1_000
    this.shared?.write(this.rest, this.at, fullAt)
  }

  /** The reset is when the bucket is full, or admits a request again. */
  headers() {
    const { atOnce, perSecond } = this.rate
    const remaining = Math.max(0, Math.floor(this.rest))
    const target = remaining > 0 ? atOnce : 1
    return {
      'ratelimit-limit': atOnce,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': Math.ceil((target - this.rest) / perSecond),
    }
  }
}

export const rateLimited = (seconds: number) =>
  refusal('limited', 'rate_limited', 'Rate limit reached. Wait before the next request.', {
    retry_after_seconds: Math.ceil(seconds),
  })
