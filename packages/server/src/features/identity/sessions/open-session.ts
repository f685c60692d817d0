import { randomUUID } from 'node:crypto'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import { answerTokens } from './issue-tokens.ts'
import { owesCode } from './read-session.ts'
import type { SessionKind } from './repository.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { TokenAnswer } from './schema.ts'
import type { Deps, Device } from './sessions.ts'

type NewSession = Awaited<ReturnType<typeof sessions.insert>>

/** The calling function has authenticated the user, and read it under its lock. */
export async function beginSession(
  deps: Deps,
  trx: Transaction,
  kind: SessionKind,
  user: User,
  device: Device,
  token = rules.tokensOf(kind).make(),
) {
  const { notifications, now } = deps
  const at = now()
  const row = {
    id: randomUUID(),
    kind,
    user_id: user.id,
    epoch: user.epoch,
    linked_at: device.linked_at ?? null,
    claimed_epoch: device.claimed_epoch ?? null,
    second_factor_due: owesCode(user, device),
    second_factor_at: device.code_given_at ?? null,
    user_agent: rules.shownUserAgent(device.user_agent),
    created_at: at,
    last_used_at: at,
    expires_at: rules.sessionEnd(kind, at, device.parent?.expires_at ?? device.ends_at),
    ended_at: null,
    logged_in_at: device.logged_in_at ?? device.linked_at ?? at,
    parent_id: device.parent?.id ?? null,
  }
  const session = await sessions.insert(trx, row, rules.newToken(token, at, row))
  // A session that continues another one is no sign-in.
  const isSignIn = !device.parent && !device.logged_in_at
  if (isSignIn && session.is_new_browser) await notifications.notifyOfSignIn(trx, user.id)
  await endSurplus(deps, trx, session)
  return { user, session, token }
}

/** The lock on the user keeps concurrent sign-ins within the limit. */
async function endSurplus({ now, audit }: Deps, trx: Transaction, session: NewSession) {
  if (session.count_before < rules.openSessionsAtMost) return
  const surplus = await sessions.endSurplus(trx, session, rules.openSessionsAtMost, now())
  if (surplus === 0) return
  await audit.writeEntry(trx, 'session.ended', { actor_id: session.user_id, details: { surplus } })
}

export async function openSession(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  device: Device,
): Promise<TokenAnswer> {
  return openSessionOf(deps, trx, await deps.accounts.loadAccountToChange(trx, user_id), device)
}

/** For a user that was read under its lock, and whose access was not revoked since. */
export async function openSessionOf(
  deps: Deps,
  trx: Transaction,
  user: User,
  device: Device,
): Promise<TokenAnswer> {
  const { session, token } = await beginSession(deps, trx, 'device', user, device)
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
