import { beginSiteSession, isHandle } from './begin-site-session.ts'
import type { SiteDeps } from './deps.ts'
import { endSession } from './end-session.ts'
import { settleSession, verifySessionCode } from './give-code.ts'

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
