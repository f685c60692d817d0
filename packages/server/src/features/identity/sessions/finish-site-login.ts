import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { beginSiteSession, isHandle } from './begin-site-session.ts'
import { endSession } from './end-session.ts'
import { findSiteSession } from './find-site-session.ts'
import { settleSession, verifySessionCode } from './give-code.ts'
import { findOpenSession } from './read-session.ts'
import * as sessions from './repository.ts'
import * as rules from './rules.ts'
import type { SiteDeps } from './sessions.ts'

/**
 * Verifies the second factor and begins a new session, so that a handle or token that leaked before
 * the second factor never gives access. Returns undefined if the handle owes no code.
 */
export async function finishLogin(
  deps: SiteDeps,
  handle: string,
  code: string,
  user_agent: string | undefined,
) {
  if (!isHandle(deps, handle)) return undefined
  return verifySessionCode(deps, handle, code, async (trx, open, code_given_at) => {
    const { id, linked_at, logged_in_at } = open.session
    if (!(await endSession(deps, trx, open.user.id, id))) return undefined
    return beginSiteSession(deps, trx, open, {
      user_agent,
      code_given_at,
      logged_in_at,
      ...(linked_at ? { linked_at } : {}),
    })
  })
}

/** Returns undefined if the handle is unknown. */
export async function giveCode(deps: SiteDeps, handle: string, code: string) {
  return isHandle(deps, handle) ? settleSession(deps, handle, code) : undefined
}

/** The owner proved themselves in another way than by a code: the session counts as fresh. */
export async function confirmSession(
  deps: SiteDeps,
  trx: Transaction,
  handle: string,
): Promise<void> {
  const open = isHandle(deps, handle) && (await findOpenSession(deps, trx, handle))
  if (!open) throw rules.invalidRefreshToken()
  await sessions.settle(trx, open.session.id, deps.now())
  await sessions.renewLogin(trx, open.session.id, deps.now())
}

/** The owner gave the password again: the sign-in becomes recent, the last code not. */
export async function signInAgain(deps: SiteDeps, handle: string, password: string): Promise<void> {
  const { db, accounts, now } = deps
  const { user } = (await findSiteSession(deps, handle)) ?? {}
  if (!user?.password_hash) throw rules.invalidRefreshToken()
  await accounts.assertPassword(user, password)
  await transact(db, async (trx) => {
    // A new password since then ended the session.
    const open = await findOpenSession(deps, trx, handle)
    if (!open) throw rules.invalidRefreshToken()
    await sessions.renewLogin(trx, open.session.id, now())
  })
}
