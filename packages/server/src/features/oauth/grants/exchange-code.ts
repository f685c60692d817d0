import * as refresh from '../../../platform/crypto/refresh-tokens.ts'
import { transact } from '../../../platform/database/database.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { OauthClient } from '../clients/clients.ts'
import {
  answerTokens,
  type Exchange,
  isStillValid,
  newToken,
  revokeReused,
  tokens,
} from './grant-tokens.ts'
import type { Deps } from './grants.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

export async function exchangeCode(
  deps: Deps,
  client: OauthClient,
  { code, redirect_uri, code_verifier }: Exchange,
) {
  const { issuer, keyRing, db, now, audit } = deps
  // The row decides about expiry, so that reuse of an expired code is detected too.
  const expected = { typ: 'code+jwt', issuer, audience: issuer, now: new Date(0) } as const
  const claims = await keyRing.verify(code, expected)
  const { jti = '', svc, code_challenge } = claims ?? {}
  const isForClient = claims?.['client_id'] === client.id && claims['redirect_uri'] === redirect_uri
  if (!isForClient || !isUuid(jti) || !rules.isVerified(code_challenge, code_verifier)) {
    throw rules.invalidGrant()
  }
  const granted = await transact(db, async (trx) => {
    const at = now()
    const storedCode = await grants.findCode(trx, jti)
    if (storedCode?.used_at) {
      // A client that sends its exchange twice at once keeps the tokens of the first one.
      if (rules.isParallel(storedCode.used_at, at)) return undefined
      return revokeReused(deps, trx, storedCode.grant_id, client.id)
    }
    if (!storedCode || storedCode.expires_at <= at) return undefined
    const { user_id, epoch } = storedCode
    const holder = { user_id, epoch, emoji_id: String(svc) }
    if (!(await isStillValid(deps, trx, holder))) return undefined
    const grant = await grants.insertGrant(trx, {
      ...holder,
      client_id: client.id,
      redirect_uri,
      created_at: at,
      last_used_at: at,
      expires_at: refresh.chainEnd(at),
      ended_at: null,
    })
    await grants.useCode(trx, jti, grant.id, at)
    const token = tokens.make()
    await grants.insertToken(trx, newToken(token, now(), grant))
    const details = { client_id: client.id, emoji_id: grant.emoji_id }
    await audit.writeEntry(trx, 'login.application', { actor_id: grant.user_id, details })
    return { grant, token }
  })
  if (!granted) throw rules.invalidGrant()
  return answerTokens(deps, granted.grant, granted.token)
}
