import { transact } from '../../../platform/database/database.ts'
import type { Principal } from '../access/index.ts'
import type { Deps } from './deps.ts'
import { loadFailedJob, showJob } from './read-jobs.ts'
import * as queue from './repository.ts'
import * as rules from './rules.ts'

/** Retries a failed job immediately and resets its attempts. */
export async function retryJob(deps: Deps, caller: Principal, id: string, reason: string) {
  const { db, audit } = deps
  return transact(db, async (trx) => {
    const { job, details: about } = await loadFailedJob(deps, trx, id)
    if (!(await queue.retry(trx, id))) throw rules.notFailedJob()
    const details = { ...about, attempts: job.attempts, reason }
    await audit.writeEntry(trx, 'job.retried', { actor_id: caller.user_id, details })
    return showJob(deps, (await queue.find(trx, id)) ?? job)
  })
}
