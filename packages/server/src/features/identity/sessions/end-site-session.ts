import { transact } from '../../../platform/database/database.ts'
import { isHandle } from './begin-site-session.ts'
import type { SiteDeps } from './deps.ts'
import { endSession } from './end-session.ts'
import { findOpenSession } from './read-session.ts'
import * as sessions from './repository.ts'

/** Signs the browser out, at both of our sites if one session continues the other. */
export async function endSiteSession(deps: SiteDeps, handle: string): Promise<void> {
  const { db } = deps
  await transact(db, async (trx) => {
    const open = isHandle(deps, handle) && (await findOpenSession(deps, trx, handle))
    if (!open) return
    const { id, parent_id } = open.session
    await endSession(deps, trx, open.user.id, id)
    // The session of our other site, which this one continued in the same browser.
    const parent = parent_id ? await sessions.find(trx, parent_id) : undefined
    if (parent && parent.kind !== 'device') await endSession(deps, trx, open.user.id, parent.id)
  })
}
