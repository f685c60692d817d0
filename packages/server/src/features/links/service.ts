import type { Database, Transaction } from '../../tables.ts'
import * as links from './repository.ts'
import { hashOf, isOneOfMany, isToken, lifetimeOf, makeToken } from './rules.ts'
import type { LinkData, LinkPurpose } from './table.ts'

export type Links = ReturnType<typeof createLinks>
export type Link = { user_id: string; data: LinkData; created_at: Date }

type Options = { db: Database; now: () => Date; magicLinkMs: number }

/** One-use tokens that are mailed or handed on: made, looked at without using them up, used once. */
export function createLinks({ db, now, magicLinkMs }: Options) {
  return {
    /** The newest voids the older ones of its kind. */
    async issue(trx: Transaction, purpose: LinkPurpose, user_id: string, data: LinkData = {}) {
      const token = makeToken()
      const at = now()
      const ms = lifetimeOf(purpose, magicLinkMs)
      if (!isOneOfMany(purpose)) await links.useAll(trx, user_id, [purpose], at)
      await links.insert(trx, {
        token_sha256: hashOf(token),
        purpose,
        user_id,
        data: JSON.stringify(data),
        created_at: at,
        expires_at: new Date(at.getTime() + ms),
        used_at: null,
      })
      return { token, valid_minutes: Math.max(1, Math.round(ms / 60_000)) }
    },

    /** How often one was issued lately. */
    issuedSince: (trx: Transaction, purpose: LinkPurpose, user_id: string, since: Date) =>
      links.countSince(trx, user_id, purpose, since),

    issuedTo: (trx: Transaction, purpose: LinkPurpose, email: string, since: Date) =>
      links.countTo(trx, purpose, email, since),

    async peek(
      purpose: LinkPurpose,
      token: string,
      from: Database | Transaction = db,
    ): Promise<Link | undefined> {
      return isToken(token) ? links.find(from, hashOf(token), purpose, now()) : undefined
    },

    async use(trx: Transaction, purpose: LinkPurpose, token: string): Promise<Link | undefined> {
      return isToken(token) ? links.use(trx, hashOf(token), purpose, now()) : undefined
    },

    /** Makes everything of these kinds useless that a user was given. */
    voidAll: (trx: Transaction, user_id: string, purposes: readonly LinkPurpose[]) =>
      links.useAll(trx, user_id, purposes, now()),

    /** The same for what was given out before. */
    voidOlder: (
      trx: Transaction,
      user_id: string,
      purposes: readonly LinkPurpose[],
      before: Date,
    ) => links.useOlder(trx, user_id, purposes, before, now()),

    /** Links know addresses: none is left of somebody who is gone. */
    forget: (trx: Transaction, user_id: string) => links.removeAll(trx, user_id),

    async purge(): Promise<void> {
      await links.forgetExpiredBefore(db, new Date(now().getTime() - 24 * 60 * 60_000))
    },
  }
}
