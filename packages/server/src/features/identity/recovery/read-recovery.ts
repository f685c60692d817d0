import type { Deps } from './deps.ts'
import * as recoveries from './repository.ts'

export async function findPendingRecovery({ db }: Deps, user_id: string) {
  const recovery = await recoveries.find(db, user_id)
  return recovery ? { asked_at: recovery.asked_at, ends_at: recovery.ends_at } : null
}
