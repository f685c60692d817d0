import { transact } from '../../../platform/database/database.ts'
import { toMinuteText } from '../../../platform/time.ts'
import type { Deps } from './deps.ts'
import { followLink, previewLink } from './follow-link.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export async function previewFinish(deps: Deps, token: string) {
  const { db, now } = deps
  const { id, email } = await previewLink(deps, 'finish_recovery', token)
  const recovery = await recoveries.find(db, id)
  if (!recovery) throw rules.expiredLink()
  return { email, from: toMinuteText(recovery.ends_at), isOver: recovery.ends_at <= now() }
}

/** Removes the second factor after the wait, unless a code cancelled the recovery. */
export async function finishRecovery(deps: Deps, token: string): Promise<void> {
  const { db, now, secondFactor } = deps
  await transact(db, async (trx) => {
    const user = await followLink(deps, trx, 'finish_recovery', token)
    const recovery = await recoveries.take(trx, user.id)
    if (!recovery) throw rules.expiredLink()
    if (recovery.ends_at > now()) throw rules.tooEarly(recovery.ends_at)
    await secondFactor.removeLostFactor(trx, user)
  })
}
