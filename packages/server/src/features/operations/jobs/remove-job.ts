import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../access/index.ts'
import type { Deps } from './deps.ts'
import { findRule, loadFailedJob } from './read-jobs.ts'
import * as queue from './repository.ts'
import * as rules from './rules.ts'

/** Removes a failed job and cleans up after it. */
export async function removeJob(deps: Deps, caller: Principal, id: string, reason: string) {
  const { db, audit } = deps
  const failed = await transact(db, (trx) => loadFailedJob(deps, trx, id))
  const rule = findRule(deps, failed.job)
  if (!rule.isKept) await rule.beforeRemoved?.(failed.payload)
  return transact(db, async (trx) => {
    const { job, payload, details: about } = await loadFailedJob(deps, trx, id)
    const { isKept, whenRemoved } = findRule(deps, job)
    if (isKept) throw rules.keptJob()
    if (!(await queue.remove(trx, id))) throw rules.notFailedJob()
    await whenRemoved?.(trx, payload)
    const { task_identifier: task, last_error } = job
    const details = { ...about, reason, error: last_error && rules.scrub(last_error) }
    await audit.writeEntry(trx, 'job.removed', { actor_id: caller.user_id, details })
    return { id, task }
  })
}
