import type { Options } from '@node-rs/argon2'
import { refusal } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { wideNetworkOf } from '../http/network.ts'
import { currentNetwork, isCallerGone } from '../request-id.ts'
import { createHashThread, type HashThread } from './thread.ts'

const argon2id = 2
/** Tasks in the queue, per network and in total. */
export const queueLimits = { each: 60, all: 600 }
/** Below the time limit of requests, so that the client gets a Retry-After. */
const longestWaitMs = 4_000
const usualCost = { memoryCost: 19_456, timeCost: 2 }

export type Hashing = {
  /** A lower cost than usual. */
  cost?: Pick<Options, 'memoryCost' | 'timeCost'>
  /** The thread of several services of one process. */
  thread?: HashThread
}

/** Takes the same time whether or not there is a hash to compare with. */
type Matches = (storedHash: string | null | undefined, password: string) => Promise<boolean>

export type Passwords = {
  hash(password: string): Promise<string>
  /** Compares in one turn: no other attempt runs between the checks and the writes of `work`. */
  attempt<Result>(work: (matches: Matches) => Promise<Result>): Promise<Result>
  /** Hashes computed since the start, to store one or to compare with one. */
  computed(): number
  stop(): Promise<void>
}

/**
 * Argon2 is slow by design, so it gets one thread and a bounded queue that serves networks
 * round-robin: a flood of sign-ins delays neither lookups nor sign-ins from other networks.
 */
export function createPasswords(hashing: Hashing = {}, patience = 1): Passwords {
  const { thread = createHashThread() } = hashing
  const cost: Options = { ...(hashing.cost ?? usualCost), algorithm: argon2id, parallelism: 1 }
  let computedCount = 0
  const hash = (password: string): Promise<string> => {
    computedCount++
    return thread.hash(password, cost)
  }
  const queue = createFairQueue({ ...queueLimits, refusal: () => tooManyLogins() })
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const network = currentNetwork()
    const queuedAt = performance.now()
    const isGone = isCallerGone()
    const isWanted = () => !isGone() && performance.now() - queuedAt < longestWaitMs * patience
    return queue.run({ group: wideNetworkOf(network), name: network }, work, isWanted)
  }
  // Created at the start: the first unknown name takes no longer than the second.
  const dummyHash = thread.hash('the dummy password', cost)
  // Waiting callers get the error; at shutdown there may be none.
  dummyHash.catch(() => {})
  const matches: Matches = async (storedHash, password) => {
    const compared = storedHash ?? (await dummyHash)
    computedCount++
    const isEqual = await thread.verify(compared, password)
    return isEqual && storedHash !== null && storedHash !== undefined
  }

  return {
    hash: async (password) => inTurn(() => hash(password)),
    attempt: async (work) => inTurn(() => work(matches)),
    computed: () => computedCount,
    stop: async () => {
      if (!hashing.thread) await thread.stop()
    },
  }
}

const tooManyLogins = () =>
  refusal(
    'unavailable',
    'too_many_logins',
    'Too many people are signing in right now. Try again shortly.',
    {
      retry_after_seconds: 2,
    },
  )
