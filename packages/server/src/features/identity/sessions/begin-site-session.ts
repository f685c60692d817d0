import { transact } from '../../../platform/database/database.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import { endSession } from './end-session.ts'
import { beginSession } from './open-session.ts'
import { findOpenSession, lockOwner, type OpenSession } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { Device, SiteDeps } from './sessions.ts'

type Continuation = { user_agent: string | undefined; takeOver: boolean; owesCode?: boolean }

/** How long a sign-in waits for its second factor. */
const codeWithinMs = 15 * minuteMs

export const isHandle = ({ site }: SiteDeps, handle: string) => rules.tokensOf(site).is(handle)

/** Returns the handle of the new session. */
export async function beginSiteSession(
  deps: SiteDeps,
  trx: Transaction,
  { user, session }: { user: OpenSession['user']; session: { id: string } },
  device: Device,
) {
  const { site, audit, accounts } = deps
  const current = await accounts.loadAccountToChange(trx, user.id)
  // The account may have been deactivated or revoked while this transaction waited.
  const { epoch, deactivated_at } = current
  if (epoch !== user.epoch || deactivated_at) throw rules.invalidRefreshToken()
  const newSession = await beginSession(deps, trx, site, current, device)
  const details = { site, session: newSession.session.id, from: session.id }
  await audit.writeEntry(trx, 'session.began', { actor_id: user.id, details })
  return newSession.token
}

export async function openSiteSession(
  deps: SiteDeps,
  trx: Transaction,
  user_id: string,
  device: Device,
): Promise<string> {
  const user = await deps.accounts.loadAccountToChange(trx, user_id)
  return (await beginSession(deps, trx, deps.site, user, device)).token
}

/** Opens a session that still owes its second factor. */
export const openOwingSession = (
  deps: SiteDeps,
  trx: Transaction,
  user_id: string,
  device: Device,
): Promise<string> => openSiteSession(deps, trx, user_id, { ...device, ends_at: codeEnd(deps) })

const codeEnd = ({ now }: SiteDeps): Date => new Date(now().getTime() + codeWithinMs)

/**
 * Begins a session for the holder of a refresh token. The new session ends with the session of the
 * token; `takeOver` ends the session of the token immediately instead. `owesCode` accepts only
 * sessions that still owe a second factor; the new session owes it too.
 */
export async function continueAtSite(
  deps: SiteDeps,
  token: string,
  { user_agent, takeOver, owesCode = false }: Continuation,
): Promise<string> {
  const { db } = deps
  const handle = await transact(db, async (trx) => {
    if (!rules.refreshTokens.is(token)) return undefined
    await lockOwner(deps, trx, token)
    const open = await findOpenSession(deps, trx, token)
    // Do not throw here: the reuse of a token revoked its session, and that must commit.
    if (!open || open.session.second_factor_due !== owesCode) return undefined
    const { linked_at, claimed_epoch, logged_in_at, second_factor_at } = open.session
    // An earlier second factor does not count if another is owed.
    const code_given_at = owesCode ? null : second_factor_at
    if (takeOver) await endSession(deps, trx, open.user.id, open.session.id)
    return beginSiteSession(deps, trx, open, {
      user_agent,
      logged_in_at,
      ...(takeOver ? {} : { parent: open.session }),
      ...(linked_at ? { linked_at } : {}),
      ...(takeOver && claimed_epoch !== null ? { claimed_epoch } : {}),
      ...(code_given_at ? { code_given_at } : {}),
      ...(owesCode ? { ends_at: codeEnd(deps) } : {}),
    })
  })
  if (!handle) throw rules.invalidRefreshToken()
  return handle
}

/**
 * Continues the session of our other site in the same browser. It ends with that session, and is
 * as fresh: neither the sign-in nor the last code becomes newer.
 */
export async function continueFromSite(
  deps: SiteDeps,
  trx: Transaction,
  session_id: string,
  user_agent: string | undefined,
): Promise<string | undefined> {
  const { accounts, now } = deps
  const session = await sessions.findToChange(trx, session_id)
  const user = session && (await accounts.findAccount(session.user_id, trx))
  const isOpen = session && !session.ended_at && session.expires_at > now()
  if (!isOpen || !user || user.deactivated_at || user.epoch !== session.epoch) return undefined
  if (session.second_factor_due) return undefined
  const { logged_in_at, second_factor_at } = session
  return beginSiteSession(
    deps,
    trx,
    { user, session },
    {
      user_agent,
      logged_in_at,
      parent: session,
      ...(second_factor_at ? { code_given_at: second_factor_at } : {}),
    },
  )
}
