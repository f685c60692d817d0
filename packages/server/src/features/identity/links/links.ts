import { bindUseCases } from '../../../platform/bind.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import { issueLink } from './issue-link.ts'
import { purgeExpiredLinks } from './purge-links.ts'
import * as links from './repository.ts'
import type { LinkPurpose } from './table.ts'
import { peekLink, useLink } from './use-link.ts'

export type Links = ReturnType<typeof createLinks>

/** One-time tokens, which are mailed or handed on: issue, peek, use once. */
export function createLinks(deps: Deps) {
  const { now } = deps

  return {
    ...bindUseCases(deps, {
      issueLink,
      peekLink,
      useLink,
      purgeExpiredLinks,
    }),
    countIssuedSince: (trx: Transaction, purpose: LinkPurpose, user_id: string, since: Date) =>
      links.countSince(trx, user_id, purpose, since),
    countIssuedTo: (trx: Transaction, purpose: LinkPurpose, email: string, since: Date) =>
      links.countTo(trx, purpose, email, since),
    /** Voids all tokens of a user with these purposes. */
    voidLinks: (trx: Transaction, user_id: string, purposes: readonly LinkPurpose[]) =>
      links.useAll(trx, user_id, purposes, now()),
    /** Voids those issued before a time. */
    voidOlderLinks: (
      trx: Transaction,
      user_id: string,
      purposes: readonly LinkPurpose[],
      before: Date,
    ) => links.useOlder(trx, user_id, purposes, before, now()),
    /** Tokens hold mail addresses: all are removed with the account. */
    removeLinks: (trx: Transaction, user_id: string) => links.removeAll(trx, user_id),
  }
}
