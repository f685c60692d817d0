import { transact } from '../../../platform/database/database.ts'
import { isHandle } from './begin-session.ts'
import type { Deps } from './deps.ts'

export async function endSiteSession(deps: Deps, handle: string): Promise<void> {
  const { db, sessions } = deps
  await transact(db, async (trx) => {
    const found = isHandle(deps, handle) && (await sessions.findOpenSession(trx, handle))
    if (found) await sessions.endSession(trx, found.user.id, found.session.id)
  })
}
