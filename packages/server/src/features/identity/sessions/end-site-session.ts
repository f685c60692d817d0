import { transact } from '../../../platform/database/database.ts'
import { isHandle } from './begin-site-session.ts'
import { endSession } from './end-session.ts'
import { findOpenSession, lockOwner } from './read-session.ts'
import * as sessions from './repository.ts'
import type { SiteDeps } from './sessions.ts'

/** Signs the browser out, with all sessions at our sites that this one continues or that continue it. */
export async function endSiteSession(deps: SiteDeps, handle: string): Promise<void> {
  const { db } = deps
  await transact(db, async (trx) => {
    if (!isHandle(deps, handle)) return
    await lockOwner(deps, trx, handle)
    const open = await findOpenSession(deps, trx, handle)
    if (!open) return
    const { id } = open.session
    const first = await sessions.findFirstAtSites(trx, id)
    // An earlier session may have expired or ended, which leaves this one.
    await endSession(deps, trx, open.user.id, first)
    if (first !== id) await endSession(deps, trx, open.user.id, id)
  })
}
