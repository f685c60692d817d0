import { beginSiteSession, isHandle } from './begin-session.ts'
import type { Deps } from './deps.ts'

/**
 * Takes the second factor that a login owes and begins a new session, so that a handle or token
 * seen before the second factor never gives access. Returns undefined if the handle owes no code.
 */
export async function finishLogin(
  deps: Deps,
  handle: string,
  code: string,
  user_agent: string | undefined,
) {
  const { sessions } = deps
  if (!isHandle(deps, handle)) return undefined
  return sessions.verifySessionCode(handle, code, async (trx, found, code_given_at) => {
    const { id, linked_at, logged_in_at } = found.session
    if (!(await sessions.endSession(trx, found.user.id, id))) return undefined
    return beginSiteSession(deps, trx, found, {
      user_agent,
      code_given_at,
      logged_in_at,
      ...(linked_at ? { linked_at } : {}),
    })
  })
}

/** Returns undefined if the handle is unknown. */
export async function giveCode(deps: Deps, handle: string, code: string) {
  const { sessions } = deps
  return isHandle(deps, handle) ? sessions.settleSession(handle, code) : undefined
}
