import { createHash, createHmac, randomBytes } from 'node:crypto'

const day = 24 * 60 * 60_000
const slidingMs = 31 * day
const absoluteMs = 180 * day
/** Clients refresh without waiting for each other: within this time a repeat gets the same answer. */
const graceMs = 60_000

/** Tokens that follow one another, each known by the hash alone. */
export const tokensNamed = (prefix: string) => ({
  make: (): string => `${prefix}_${randomBytes(32).toString('base64url')}`,

  /** The next token follows from the one before, so that nobody has to keep it to say it again. */
  successorOf: (token: string, key: Buffer): string =>
    `${prefix}_${createHmac('sha256', key).update(token).digest('base64url')}`,

  /** What cannot be one is not looked for. */
  is: (text: string): boolean =>
    text.startsWith(`${prefix}_`) && /^[\w-]{43}$/.test(text.slice(prefix.length + 1)),
})

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** When a chain of tokens ends, however often it is refreshed. */
export const chainEnd = (now: Date): Date => new Date(now.getTime() + absoluteMs)

export const tokenEnd = (now: Date, chain: { expires_at: Date }): Date =>
  new Date(Math.min(now.getTime() + slidingMs, chain.expires_at.getTime()))

export const isWithinGrace = (rotated_at: Date, now: Date): boolean =>
  now.getTime() - rotated_at.getTime() <= graceMs
