import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { OauthClient } from '../clients/clients.ts'
import { tokens } from './grant-tokens.ts'
import type { Deps } from './grants.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

export async function endGrants({ now }: Deps, trx: Transaction, user_id: string): Promise<void> {
  await grants.endOf(trx, user_id, now())
  await grants.voidCodes(trx, user_id)
}

/** The grants stay: their owner sees and ends them in the list of applications. */
export async function voidUnusedCodes(trx: Transaction, user_id: string): Promise<boolean> {
  const { numDeletedRows } = await grants.voidCodes(trx, user_id)
  return numDeletedRows > 0n
}

/** For a deleted or disowned account: also removes its pseudonyms at applications. */
export async function forgetUser(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  await endGrants(deps, trx, user_id)
  await grants.removeSubjects(trx, user_id)
}

/** The grant in the claims of an access token, open or ended. */
export const readClaims = ({ sid, client_id }: ReadClaims) =>
  isUuid(sid) && typeof client_id === 'string' ? { sid, client_id } : undefined

/** Revokes the grant of a token. Ignores tokens of other applications (RFC 7009). */
export async function revokeToken(deps: Deps, client: OauthClient, token: string): Promise<void> {
  const { issuer, audience, now, keyRing, db } = deps
  const expected = { typ: 'at+jwt', issuer, audience, now: now() } as const
  const claims = tokens.is(token) ? undefined : await keyRing.verify(token, expected)
  await transact(db, async (trx) => {
    const grant_id = tokens.is(token)
      ? (await grants.findToken(trx, sha256(token)))?.id
      : readClaims(claims ?? {})?.sid
    const endedGrant = grant_id && (await grants.end(trx, grant_id, client.id, now()))
    if (endedGrant)
      await auditEnd(deps, trx, endedGrant.user_id, { client_id: client.id, by: 'application' })
  })
}

/** Revokes the user's grants for one application. */
export async function leaveApplication(
  deps: Deps,
  { user_id }: Principal,
  client_id: string,
): Promise<void> {
  const { db, now } = deps
  await transact(db, async (trx) => {
    await grants.voidCodes(trx, user_id, client_id)
    const endedGrants = await grants.endOf(trx, user_id, now(), client_id)
    if (endedGrants.length === 0) throw rules.unknownApplication()
    await auditEnd(deps, trx, user_id, { client_id, by: 'user' })
  })
}

export const purgeGrants = (db: Database, at: Date) =>
  grants.removeBefore(db, new Date(at.getTime() - dayMs))

const auditEnd = (
  { audit }: Deps,
  trx: Transaction,
  user_id: string,
  details: Record<string, string>,
) => audit.writeEntry(trx, 'application.left', { actor_id: user_id, details })
