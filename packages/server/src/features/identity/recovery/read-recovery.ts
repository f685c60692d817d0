import type { Deps } from './deps.ts'
import * as recoveries from './repository.ts'

/** For operators. */
export async function findPendingRecovery({ db }: Deps, user_id: string) {
  const waiting = await recoveries.find(db, user_id)
  return waiting ? { asked_at: waiting.asked_at, ends_at: waiting.ends_at } : null
}
