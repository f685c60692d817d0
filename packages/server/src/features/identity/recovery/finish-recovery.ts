import { transact } from '../../../platform/database/database.ts'
import { toMinuteText } from '../../../platform/time.ts'
import type { Deps } from './deps.ts'
import { followLink, previewLink } from './follow-link.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export async function previewFinish(deps: Deps, token: string) {
  const { db, now } = deps
  const { id, email } = await previewLink(deps, 'finish_recovery', token)
  const waiting = await recoveries.find(db, id)
  if (!waiting) throw rules.recoveryGone()
  return { email, from: toMinuteText(waiting.ends_at), isOver: waiting.ends_at <= now() }
}

/** The wait is over, and nobody gave a code. */
export async function finishRecovery(deps: Deps, token: string): Promise<void> {
  const { db, now, secondFactor } = deps
  await transact(db, async (trx) => {
    const user = await followLink(deps, trx, 'finish_recovery', token)
    const waiting = await recoveries.take(trx, user.id)
    if (!waiting) throw rules.recoveryGone()
    if (waiting.ends_at > now()) throw rules.tooEarly(waiting.ends_at)
    await secondFactor.removeLostFactor(trx, user)
  })
}
