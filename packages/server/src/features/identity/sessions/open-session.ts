import { tokenRow } from '../../../platform/crypto/refresh-tokens.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { answerTokens } from './issue-tokens.ts'
import { owesCode } from './read-session.ts'
import type { SessionKind } from './repository.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { Deps, Device } from './sessions.ts'

type NewSession = Awaited<ReturnType<typeof sessions.insert>>
type StoredSession = { id: string; kind: SessionKind; expires_at: Date }

export function storeToken({ now }: Deps, trx: Transaction, token: string, session: StoredSession) {
  return sessions.insertToken(trx, {
    ...tokenRow(token, now(), rules.tokenEnd(now(), session)),
    session_id: session.id,
  })
}

/** The calling function has authenticated the user. */
export async function beginSession(
  deps: Deps,
  trx: Transaction,
  kind: SessionKind,
  user_id: string,
  device: Device,
  token = rules.tokensOf(kind).make(),
) {
  const { accounts, now } = deps
  const user = await accounts.loadAccountToChange(trx, user_id)
  const at = now()
  const user_agent = rules.shownUserAgent(device.user_agent)
  await notifyOfNewBrowser(deps, trx, user_id, { ...device, user_agent: user_agent ?? undefined })
  const session = await sessions.insert(trx, {
    kind,
    user_id: user.id,
    epoch: user.epoch,
    linked_at: device.linked_at ?? null,
    claimed_epoch: device.claimed_epoch ?? null,
    second_factor_due: owesCode(user, device),
    second_factor_at: device.code_given_at ?? null,
    user_agent,
    created_at: at,
    last_used_at: at,
    expires_at: rules.sessionEnd(kind, at, device.parent?.expires_at ?? device.ends_at),
    ended_at: null,
    logged_in_at: device.logged_in_at ?? device.linked_at ?? at,
    parent_id: device.parent?.id ?? null,
  })
  await storeToken(deps, trx, token, session)
  await endSurplus(deps, trx, session)
  return { user, session, token }
}

/** The lock on the user keeps concurrent sign-ins within the limit. */
async function endSurplus({ now, audit }: Deps, trx: Transaction, session: NewSession) {
  const surplus = await sessions.endSurplus(trx, session, rules.openSessionsAtMost, now())
  if (surplus === 0) return
  await audit.writeEntry(trx, 'session.ended', { actor_id: session.user_id, details: { surplus } })
}

/** A session that continues another one is no sign-in. */
async function notifyOfNewBrowser(
  { notifications }: Deps,
  trx: Transaction,
  user_id: string,
  { user_agent, parent, logged_in_at }: Device,
) {
  if (parent || logged_in_at) return
  if (await sessions.isNewBrowser(trx, user_id, user_agent ?? '')) {
    await notifications.notifyOfSignIn(trx, user_id)
  }
}

export async function openSession(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  device: Device,
): Promise<TokenAnswer> {
  const { user, session, token } = await beginSession(deps, trx, 'device', user_id, device)
  return answerTokens(deps, user, session, token)
}

/** Replaces a session that ended with all others. An earlier code still counts. */
export async function continueSession(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  user_agent: string | undefined,
) {
  const before = caller.session_id && (await sessions.find(trx, caller.session_id))
  const code_given_at = before ? before.second_factor_at : null
  return openSession(deps, trx, caller.user_id, {
    user_agent,
    ...(code_given_at ? { code_given_at } : {}),
  })
}
