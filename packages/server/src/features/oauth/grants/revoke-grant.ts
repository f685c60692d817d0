import type { ReadClaims } from '../../../platform/crypto/key-ring.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { dayMs } from '../../../platform/time.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { OauthClient } from '../clients/index.ts'
import type { Deps } from './deps.ts'
import { tokens } from './grant-tokens.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

export async function endGrants({ now }: Deps, trx: Transaction, user_id: string): Promise<void> {
  await grants.endOf(trx, user_id, now())
  await grants.voidCodes(trx, user_id)
}

/** The account is deleted or was somebody else's: applications must not recognize it again. */
export async function forgetGrants(deps: Deps, trx: Transaction, user_id: string): Promise<void> {
  await endGrants(deps, trx, user_id)
  await grants.forgetSubjects(trx, user_id)
}

/** The grant that an access token names, open or not. */
export const readClaims = ({ sid, client_id }: ReadClaims) =>
  isUuid(sid) && typeof client_id === 'string' ? { sid, client_id } : undefined

/**
 * At the request of the application. Tokens of other applications are ignored silently (RFC 7009).
 */
export async function revokeToken(deps: Deps, client: OauthClient, token: string): Promise<void> {
  const { issuer, audience, now, keyRing, db } = deps
  const expected = { typ: 'at+jwt', issuer, audience, now: now() } as const
  const claims = tokens.is(token) ? undefined : await keyRing.verify(token, expected)
  await transact(db, async (trx) => {
    const grant_id = tokens.is(token)
      ? (await grants.findToken(trx, sha256(token)))?.id
      : readClaims(claims ?? {})?.sid
    const ended = grant_id && (await grants.end(trx, grant_id, client.id, now()))
    if (ended) await auditEnd(deps, trx, ended.user_id, { client_id: client.id, by: 'application' })
  })
}

/** At the request of the user. */
export async function leaveApplication(
  deps: Deps,
  { user_id }: Principal,
  client_id: string,
): Promise<void> {
  const { db, now } = deps
  await transact(db, async (trx) => {
    await grants.voidCodes(trx, user_id, client_id)
    const ended = await grants.endOf(trx, user_id, now(), client_id)
    if (ended.length === 0) throw rules.unknownApplication()
    await auditEnd(deps, trx, user_id, { client_id, by: 'user' })
  })
}

export const purgeGrants = ({ db, now }: Deps) =>
  grants.forgetBefore(db, new Date(now().getTime() - dayMs))

const auditEnd = (
  { audit }: Deps,
  trx: Transaction,
  user_id: string,
  details: Record<string, string>,
) => audit.writeEntry(trx, 'application.left', { actor_id: user_id, details })
