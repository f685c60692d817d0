import { sha256 } from '../../../platform/crypto/sha256.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { LinkData, LinkPurpose } from './repository.ts'
import * as links from './repository.ts'
import { isToken } from './rules.ts'

export type Link = { user_id: string; data: LinkData; created_at: Date }

export async function peekLink(
  { db, now }: Deps,
  purpose: LinkPurpose,
  token: string,
  from: Database | Transaction = db,
): Promise<Link | undefined> {
  return isToken(token) ? links.find(from, sha256(token), purpose, now()) : undefined
}

/** The newest link of a user that still works. */
export const findOpenLink = (
  { db, now }: Deps,
  purpose: LinkPurpose,
  user_id: string,
  from: Database | Transaction = db,
): Promise<Link | undefined> => links.findOpen(from, user_id, purpose, now())

export async function useLink(
  { now }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
): Promise<Link | undefined> {
  return isToken(token) ? links.use(trx, sha256(token), purpose, now()) : undefined
}
