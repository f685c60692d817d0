import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import * as queue from './repository.ts'
import * as rules from './rules.ts'
import type { JobQuery } from './schema.ts'
import type { JobRow } from './table.ts'

export type Jobs = ReturnType<typeof createJobs>

type Options = {
  db: Database
  audit: Audit
  /** By task; of others a job may be removed, and that is all. */
  taskRules: Readonly<Record<string, rules.TaskRule>>
}

/** The queue of background work, as operators see it. */
export function createJobs({ db, audit, taskRules }: Options) {
  const ruleOf = ({ task_identifier }: JobRow) => taskRules[task_identifier] ?? {}
  const show = (job: JobRow) => rules.showJob(job, ruleOf(job))

  const loadFailed = async (trx: Transaction, id: string) => {
    const job = await queue.find(trx, id)
    if (!job) throw new rules.UnknownJobError()
    if (job.state !== 'failed' && job.state !== 'given_up') throw new rules.NotFailedError()
    const payload = await queue.findPayload(trx, id)
    const about = await ruleOf(job).about?.(trx, payload)
    return { job, payload, noted: { job_id: id, task: job.task_identifier, ...about } }
  }

  return {
    async list(query: JobQuery) {
      const { rows, total } = await queue.findPage(db, query)
      return toPage(rows.map(show), total, query)
    },

    tasks: () => queue.countTasks(db),

    /** At once, and as often as if it were new. */
    async retry(caller: Principal, id: string, reason: string) {
      return transact(db, async (trx) => {
        const { job, noted } = await loadFailed(trx, id)
        if (!(await queue.retry(trx, id))) throw new rules.NotFailedError()
        const details = { ...noted, attempts: job.attempts, reason }
        await audit.note(trx, 'job.retried', { actor_id: caller.user_id, details })
        return show((await queue.find(trx, id)) ?? job)
      })
    },

    /** Whatever waits for it is ended with it. */
    async remove(caller: Principal, id: string, reason: string) {
      return transact(db, async (trx) => {
        const { job, payload, noted } = await loadFailed(trx, id)
        const { isKept, whenRemoved } = ruleOf(job)
        if (isKept) throw new rules.KeptJobError()
        if (!(await queue.remove(trx, id))) throw new rules.NotFailedError()
        await whenRemoved?.(trx, payload)
        const { task_identifier: task, last_error } = job
        const details = { ...noted, reason, error: last_error && rules.scrub(last_error) }
        await audit.note(trx, 'job.removed', { actor_id: caller.user_id, details })
        return { id, task }
      })
    },
  }
}
