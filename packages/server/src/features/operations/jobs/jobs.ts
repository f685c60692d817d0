import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import { findPayload } from '../../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../access/access.ts'
import type { Audit } from '../audit/audit.ts'
import type { JobRow } from './repository.ts'
import * as queue from './repository.ts'
import type { JobQuery } from './routes.ts'
import * as rules from './rules.ts'

/** The rules for operators, by task. Jobs of other tasks can be retried and removed. */
export type TaskRules = Readonly<Record<string, rules.TaskRule>>

export type Deps = {
  db: Database
  audit: Audit
  taskRules: TaskRules
}

export type Jobs = ReturnType<typeof createJobs>

/** The job queue for operators: list, retry, remove. */
export function createJobs(deps: Deps) {
  const { db } = deps

  return {
    ...bindUseCases(deps, { listJobs, retryJob, removeJob }),
    countTasks: () => queue.countTasks(db),
  }
}

async function listJobs(deps: Deps, query: JobQuery) {
  const { rows, total } = await queue.findPage(deps.db, query)
  const views = rows.map((job) => showJob(deps, job))
  return toPage(views, total, query)
}

const showJob = (deps: Deps, job: JobRow) => rules.showJob(job, findRule(deps, job))

const findRule = ({ taskRules }: Deps, { task_identifier }: JobRow) =>
  taskRules[task_identifier] ?? {}

/** Retries a failed job immediately and resets its attempts. */
async function retryJob(deps: Deps, caller: Principal, id: string, reason: string) {
  const { db, audit } = deps
  return transact(db, async (trx) => {
    const { job, details: about } = await loadFailedJob(deps, trx, id)
    if (!(await queue.retry(trx, id))) throw rules.notFailedJob()
    const details = { ...about, attempts: job.attempts, reason }
    await audit.writeEntry(trx, 'job.retried', { actor_id: caller.user_id, details })
    return showJob(deps, (await queue.find(trx, id)) ?? job)
  })
}

async function loadFailedJob(deps: Deps, trx: Transaction, id: string) {
  const job = await queue.find(trx, id)
  if (!job) throw rules.unknownJob()
  if (job.state !== 'failed' && job.state !== 'given_up') throw rules.notFailedJob()
  const payload = await findPayload(trx, id)
  const about = await findRule(deps, job).about?.(trx, payload)
  return { job, payload, details: { job_id: id, task: job.task_identifier, ...about } }
}

/** Removes a failed job and cleans up after it. */
async function removeJob(deps: Deps, caller: Principal, id: string, reason: string) {
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
