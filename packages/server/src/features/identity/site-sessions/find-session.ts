import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../../operations/access/index.ts'
import type { User } from '../accounts/index.ts'
import { isHandle } from './begin-session.ts'
import type { Deps } from './deps.ts'

type OpenSession = {
  id: string
  linked_at: Date | null
  logged_in_at: Date
  second_factor_due: boolean
  second_factor_at: Date | null
}

const noScopes: ReadonlySet<never> = new Set()

export async function findSiteSession(deps: Deps, handle: string) {
  const { db, sessions } = deps
  if (!isHandle(deps, handle)) return undefined
  const found = await transact(db, async (trx) => {
    const open = await sessions.findOpenSession(trx, handle)
    if (open) await sessions.recordUse(trx, open.session)
    return open
  })
  return found && { ...found, principal: toPrincipal(deps, found.user, found.session) }
}

/** Finds a session that still owes its second factor. */
export async function findOwingSession(deps: Deps, handle: string) {
  const found = await findSiteSession(deps, handle)
  return found?.session.second_factor_due ? found : undefined
}

function toPrincipal(
  { sessions }: Deps,
  { id, epoch, role, two_factor_auth }: User,
  session: OpenSession,
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
    isRecentLogin: sessions.isRecentLogin(logged_in_at),
    lacksSecondFactor: false,
    second_factor: provider ? { provider, isFresh: sessions.isFresh(second_factor_at) } : null,
  }
}
