import { transact } from '../../../platform/database/database.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { Device, SiteDeps } from './deps.ts'
import { endSession } from './end-session.ts'
import { beginSession } from './open-session.ts'
import { findOpenSession, type Open } from './read-session.ts'
import * as rules from './rules.ts'

type Continuation = { user_agent: string | undefined; takeOver: boolean; owing?: boolean }

/** How long a login waits for its second factor. */
const owingMs = 15 * minuteMs

export const isHandle = ({ site }: SiteDeps, handle: string) => rules.tokensOf(site).is(handle)

/** Returns the handle of the new session. */
export async function beginSiteSession(
  deps: SiteDeps,
  trx: Transaction,
  { user, session }: Open,
  device: Device,
) {
  const { site, audit } = deps
  const opened = await beginSession(deps, trx, site, user.id, device)
  // The account was deactivated, or its access revoked, while this transaction waited.
  const { epoch, deactivated_at } = opened.user
  if (epoch !== user.epoch || deactivated_at) throw rules.invalidRefreshToken()
  const details = { site, session: opened.session.id, from: session.id }
  await audit.writeEntry(trx, 'session.began', { actor_id: user.id, details })
  return opened.token
}

/** Returns the handle. */
export async function openSiteSession(
  deps: SiteDeps,
  trx: Transaction,
  user_id: string,
  device: Device,
): Promise<string> {
  return (await beginSession(deps, trx, deps.site, user_id, device)).token
}

/**
 * Begins a session for the holder of a refresh token. The token stays valid, and the session ends
 * with it; with `takeOver` the session of the token ends at once instead. `owing` is for logins
 * that still owe a second factor, and only for them: the new session owes it, too.
 */
export async function continueAtSite(
  deps: SiteDeps,
  token: string,
  { user_agent, takeOver, owing = false }: Continuation,
): Promise<string> {
  const { db, now } = deps
  const handle = await transact(db, async (trx) => {
    const found = rules.refreshTokens.is(token) && (await findOpenSession(deps, trx, token))
    // Do not throw here: the reuse of a token revoked its session, and that must commit.
    if (!found || found.session.second_factor_due !== owing) return undefined
    const { linked_at, logged_in_at, second_factor_at } = found.session
    // An earlier second factor does not count if another is owed.
    const code_given_at = owing ? null : second_factor_at
    if (takeOver) await endSession(deps, trx, found.user.id, found.session.id)
    return beginSiteSession(deps, trx, found, {
      user_agent,
      logged_in_at,
      ...(takeOver ? {} : { parent: found.session }),
      ...(linked_at ? { linked_at } : {}),
      ...(code_given_at ? { code_given_at } : {}),
      ...(owing ? { ends_at: new Date(now().getTime() + owingMs) } : {}),
    })
  })
  if (!handle) throw rules.invalidRefreshToken()
  return handle
}
