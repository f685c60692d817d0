import { transact } from '../../../platform/database/database.ts'
import { isHandle } from './begin-site-session.ts'
import type { SiteDeps } from './deps.ts'
import { endSession } from './end-session.ts'
import { findOpenSession } from './read-session.ts'

export async function endSiteSession(deps: SiteDeps, handle: string): Promise<void> {
  const { db } = deps
  await transact(db, async (trx) => {
    const open = isHandle(deps, handle) && (await findOpenSession(deps, trx, handle))
    if (open) await endSession(deps, trx, open.user.id, open.session.id)
  })
}
