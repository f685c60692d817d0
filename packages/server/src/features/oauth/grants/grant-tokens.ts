import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import * as refresh from '../../../platform/crypto/refresh-tokens.ts'
import type { Transaction } from '../../../tables.ts'
import { lacksSecondFactor } from '../../operations/access/access.ts'
import type { Deps } from './grants.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'
import type { ApplicationTokens } from './schema.ts'

type Grant = grants.Grant

export type Exchange = { code: string; redirect_uri: string; code_verifier: string | undefined }

export const tokens = refresh.tokensNamed('rs')

export const noScopes: ReadonlySet<never> = new Set()

export async function answerTokens(
  deps: Deps,
  grant: Grant,
  refresh_token: string,
): Promise<ApplicationTokens> {
  return {
    access_token: await issueAccessToken(deps, grant),
    refresh_token,
    token_type: 'Bearer',
    type: 'SvcAccessToken',
    scope: 'svc',
    expires_in: rules.accessLastsMs / 1_000,
  }
}

/** The row of a token of a grant. */
export const newToken = (token: string, now: Date, grant: Grant) => ({
  ...refresh.tokenRow(token, now, refresh.tokenEnd(now, grant)),
  grant_id: grant.id,
})

/** Whether an operator has to set up a second factor first. */
export const mustSetUpFactor = (
  { operatorsNeedCodes }: Deps,
  holder: Parameters<typeof lacksSecondFactor>[0],
): boolean => operatorsNeedCodes && lacksSecondFactor(holder)

/**
 * Whether the account is active, was not revoked since, and still owns the id, which is not
 * suspended.
 */
export async function isStillValid(
  deps: Deps,
  trx: Transaction,
  { user_id, emoji_id, epoch }: Pick<Grant, 'user_id' | 'emoji_id' | 'epoch'>,
): Promise<boolean> {
  const { accounts, emojiIds } = deps
  const user = await accounts.findAccount(user_id, trx)
  const ownersById = await emojiIds.findOwners(trx, [emoji_id as EmojiId])
  const isSame = user !== undefined && !user.deactivated_at && user.epoch === epoch
  if (user && mustSetUpFactor(deps, { role: user.role, provider: user.two_factor_auth[0] ?? null }))
    return false
  const id = ownersById.get(emoji_id as EmojiId)
  return isSame && id?.user_id === user_id && !id.suspended_at
}

/** Reuse of a code or a rotated refresh token revokes the grant. */
export async function revokeReused(
  { now, audit }: Deps,
  trx: Transaction,
  grant_id: string | null,
  client_id: string,
) {
  const endedGrant = grant_id && (await grants.end(trx, grant_id, client_id, now()))
  if (!endedGrant) return
  const details = { client_id, grant: grant_id }
  const entry = { actor_id: endedGrant.user_id, result: 'refused' as const, details }
  await audit.writeEntry(trx, 'application.reused', entry)
}

async function issueAccessToken(
  { now, db, keyRing, issuer, audience }: Deps,
  grant: Grant,
): Promise<string> {
  const issuedAt = now()
  const iat = Math.floor(issuedAt.getTime() / 1_000)
  const { client_id, user_id, emoji_id, epoch } = grant
  const sub = await grants.subjectOf(db, client_id, user_id)
  return keyRing.sign('at+jwt', {
    iss: issuer,
    aud: audience,
    sub,
    iat,
    jti: randomUUID(),
    sid: grant.id,
    exp: iat + rules.accessLastsMs / 1_000,
    type: 'SvcAccessToken',
    client_id,
    svc: emoji_id,
    scope: 'svc',
    scopes: [],
    issued: issuedAt.toISOString(),
    epoch,
    active2fa: false,
  })
}
