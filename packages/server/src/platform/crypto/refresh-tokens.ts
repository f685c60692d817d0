import { createHmac, randomBytes } from 'node:crypto'
import { dayMs, minuteMs } from '../time.ts'
import { sha256 } from './sha256.ts'

const slidingMs = 31 * dayMs
const absoluteMs = 180 * dayMs
/**
 * Clients refresh concurrently: within this time a repeat gets the same response, until a client uses
 * the successor.
 */
const graceMs = minuteMs

/** Rotating refresh tokens, stored as hashes only. */
export function tokensNamed(prefix: string) {
  /**
   * The next token is derived from the previous one, so that a repeat gets the same token without
   * storing it.
   */
  const successorOf = (token: string, key: Buffer): string =>
    `${prefix}_${createHmac('sha256', key).update(token).digest('base64url')}`

  return {
    successorOf,
    make: (): string => `${prefix}_${randomBytes(32).toString('base64url')}`,

    /** True if the text has the form of such a token. */
    is: (text: string): boolean =>
      text.startsWith(`${prefix}_`) && /^[\w-]{43}$/.test(text.slice(prefix.length + 1)),

    /**
     * The successor of a token. The first use stores it with `replace`; a repeat within the grace
     * time writes nothing.
     */
    async rotate(
      token: string,
      key: Buffer,
      rotated_at: Date | null,
      replace: (successor: string) => Promise<unknown>,
    ) {
      const successor = successorOf(token, key)
      if (!rotated_at) await replace(successor)
      return successor
    },

    /**
     * Reuse detection: a rotated token that comes after its grace time, or after its successor was
     * used, was stolen, so its chain is revoked.
     */
    async isReused(
      token: string,
      key: Buffer,
      { rotated_at }: { rotated_at: Date | null },
      now: Date,
      isUsed: (token_sha256: Buffer) => Promise<boolean>,
    ): Promise<boolean> {
      if (!rotated_at) return false
      if (now.getTime() - rotated_at.getTime() > graceMs) return true
      return isUsed(sha256(successorOf(token, key)))
    },
  }
}

/** The absolute expiry of a chain of tokens. */
export const chainEnd = (now: Date): Date => new Date(now.getTime() + absoluteMs)

export const tokenEnd = (now: Date, chain: { expires_at: Date }): Date =>
  new Date(Math.min(now.getTime() + slidingMs, chain.expires_at.getTime()))

/** The row of a token, without its chain. */
export const tokenRow = (token: string, created_at: Date, expires_at: Date) => ({
  token_sha256: sha256(token),
  created_at,
  expires_at,
  rotated_at: null,
})
