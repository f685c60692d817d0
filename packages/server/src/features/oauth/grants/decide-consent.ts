import { randomUUID } from 'node:crypto'
import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { withQuery } from '../../../platform/http/pages/links.ts'
import { readEmojiId } from '../../directory/emoji-ids/emoji-ids.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import type { Deps } from './grants.ts'
import { type AuthorizationRequest, refuseRequest } from './read-request.ts'
import * as grants from './repository.ts'
import * as rules from './rules.ts'

const unknownId: rules.Problem = {
  error: 'invalid_request',
  error_description: 'svc is not a registered emoji id.',
}

const otherOwner: rules.Problem = {
  error: 'access_denied',
  error_description: 'This emoji id belongs to another owner.',
}

const suspendedId: rules.Problem = {
  error: 'access_denied',
  error_description: 'An operator has suspended this emoji id.',
}

/** The redirect while the user has not opened the emailed link. */
export const pendingRedirect = ({ redirect_uri, state }: AuthorizationRequest) =>
  withQuery(redirect_uri, { status: 'pending_magic_link', state })

/**
 * Whether the user consented before, for the same redirect address. A redirect address that is added
 * later does not inherit earlier consents.
 */
export async function isGranted(
  { db, now }: Deps,
  { client, redirect_uri }: AuthorizationRequest,
  user_id: string,
  svc: string,
) {
  const emoji_id = readIfId(svc)
  if (!emoji_id) return false
  const grant = { user_id, client_id: client.id, emoji_id, redirect_uri }
  return (await grants.findSame(db, grant, now())) !== undefined
}

export const explainRefusal = async (deps: Deps, user: User, chosenId: string) =>
  (await findOwn(deps, user, chosenId)).problem

/** Returns the redirect address, with a code if the user owns the chosen id. */
export async function chooseId(
  deps: Deps,
  request: AuthorizationRequest,
  { user, principal }: { user: User; principal: Principal },
  chosenId: string,
): Promise<string> {
  const { now, db, audit, keyRing, issuer } = deps
  const { client, redirect_uri, state, code_challenge } = request
  const { owned, problem } = await findOwn(deps, user, chosenId)
  if (!owned) return refuseRequest(deps, request, problem)
  const at = now()
  const jti = randomUUID()
  const iat = Math.floor(at.getTime() / 1_000)
  const sub = await transact(db, async (trx) => {
    await holdCaller(trx, principal)
    const expires_at = new Date(at.getTime() + rules.codeLastsMs)
    const { id: user_id, epoch } = user
    const row = { id: jti, client_id: client.id, user_id, epoch, expires_at }
    await grants.insertCode(trx, { ...row, used_at: null, grant_id: null })
    const details = { client_id: client.id, emoji_id: owned.emoji_id }
    await audit.writeEntry(trx, 'application.authorized', { actor_id: user.id, details })
    return grants.subjectOf(trx, client.id, user.id)
  })
  const code = await keyRing.sign('code+jwt', {
    iss: issuer,
    aud: issuer,
    sub,
    iat,
    exp: iat + rules.codeLastsMs / 1_000,
    jti,
    client_id: client.id,
    redirect_uri,
    svc: owned.emoji_id,
    ...(code_challenge === undefined ? {} : { code_challenge }),
  })
  return withQuery(redirect_uri, { code, state, iss: issuer })
}

async function findOwn({ emojiIds }: Deps, user: User, text: string) {
  const id = readIfId(text)
  const ownedId = id && (await emojiIds.findId(id))
  if (!ownedId) return { problem: unknownId }
  if (ownedId.user_id !== user.id) return { problem: otherOwner }
  return ownedId.suspended_at ? { problem: suspendedId } : { owned: ownedId }
}

function readIfId(text: string): EmojiId | undefined {
  try {
    return readEmojiId(text)
  } catch {
    return undefined
  }
}
