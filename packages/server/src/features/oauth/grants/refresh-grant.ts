import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { OauthClient } from '../clients/clients.ts'
import { answerTokens, isStillValid, newToken, revokeReused, tokens } from './grant-tokens.ts'
import type { Deps } from './grants.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

export async function refreshGrant(deps: Deps, client: OauthClient, token: string) {
  const { db, now, successionKey } = deps
  if (!tokens.is(token)) throw rules.invalidGrant()
  const outcome = await transact(db, async (trx) => {
    const at = now()
    const grant = await grants.findToken(trx, sha256(token))
    if (!grant || grant.client_id !== client.id || grant.ended_at) return undefined
    if (grant.token_expires_at <= at) return undefined
    const isUsed = (successor_sha256: Buffer) => grants.isRotated(trx, successor_sha256)
    if (await tokens.isReused(token, successionKey, grant, at, isUsed))
      return revokeReused(deps, trx, grant.id, client.id)
    if (!(await isStillValid(deps, trx, grant))) return undefined
    const successor = await tokens.rotate(token, successionKey, grant.rotated_at, (next) =>
      grants.rotate(trx, { token_sha256: sha256(token), at }, newToken(next, at, grant)),
    )
    return { grant, successor }
  })
  if (!outcome) throw rules.invalidGrant()
  return answerTokens(deps, outcome.grant, outcome.successor)
}
