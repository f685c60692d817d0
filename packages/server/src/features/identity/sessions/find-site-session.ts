import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import { isHandle } from './begin-site-session.ts'
import { noScopes } from './issue-tokens.ts'
import {
  findOpenSession,
  isFresh,
  isRecentLogin,
  type OpenSession,
  recordUse,
} from './read-session.ts'
import type { SiteDeps } from './sessions.ts'

export async function findSiteSession(deps: SiteDeps, handle: string) {
  const { db } = deps
  if (!isHandle(deps, handle)) return undefined
  const open = await transact(db, async (trx) => {
    const session = await findOpenSession(deps, trx, handle)
    if (session) await recordUse(deps, trx, session.session)
    return session
  })
  return open && { ...open, principal: toPrincipal(deps, open.user, open.session) }
}

/** Finds a session that still owes its second factor. */
export async function findPendingSession(deps: SiteDeps, handle: string) {
  const open = await findSiteSession(deps, handle)
  return open?.session.second_factor_due ? open : undefined
}

function toPrincipal(
  deps: SiteDeps,
  { id, epoch, role, two_factor_auth }: User,
  session: OpenSession['session'],
): Principal {
  const { linked_at, logged_in_at, second_factor_due: isPending, second_factor_at } = session
  const [provider] = two_factor_auth
  return {
    kind: isPending ? 'pending' : 'session',
    user_id: id,
    epoch,
    session_id: session.id,
    role,
    scopes: noScopes,
    memberships: new Map(),
    expires_at: null,
    linked_at,
    isRecentLogin: isRecentLogin(deps, logged_in_at),
    lacksSecondFactor: false,
    second_factor: provider ? { provider, isFresh: isFresh(deps, second_factor_at) } : null,
  }
}
