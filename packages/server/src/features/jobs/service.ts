import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import * as queue from './repository.ts'
import * as rules from './rules.ts'
import type { JobQuery } from './schema.ts'

export type Jobs = ReturnType<typeof createJobs>

/** The queue of background work, as operators see it. */
export function createJobs({ db, audit }: { db: Database; audit: Audit }) {
  const loadFailed = async (trx: Transaction, id: string) => {
    const job = await queue.find(trx, id)
    if (!job) throw new rules.UnknownJobError()
    if (job.state !== 'failed' && job.state !== 'given_up') throw new rules.NotFailedError()
    return job
  }

  return {
    async list(query: JobQuery) {
      const { rows, total } = await queue.findPage(db, query)
      return toPage(rows.map(rules.showJob), total, query)
    },

    tasks: () => queue.countTasks(db),

    /** At once, and as often as if it were new. */
    async retry(caller: Principal, id: string, reason: string) {
      return transact(db, async (trx) => {
        const job = await loadFailed(trx, id)
        if (!(await queue.retry(trx, id))) throw new rules.NotFailedError()
        const { task_identifier: task, attempts } = job
        const details = { job_id: id, task, attempts, reason }
        await audit.note(trx, 'job.retried', { actor_id: caller.user_id, details })
        return rules.showJob((await queue.find(trx, id)) ?? job)
      })
    },

    async remove(caller: Principal, id: string, reason: string) {
      return transact(db, async (trx) => {
        const { task_identifier: task, last_error } = await loadFailed(trx, id)
        if (!(await queue.remove(trx, id))) throw new rules.NotFailedError()
        const details = { job_id: id, task, reason, error: last_error && rules.scrub(last_error) }
        await audit.note(trx, 'job.removed', { actor_id: caller.user_id, details })
        return { id, task }
      })
    },
  }
}
