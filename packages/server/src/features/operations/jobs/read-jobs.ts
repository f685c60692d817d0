import { toPage } from '../../../platform/http/paging.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as queue from './repository.ts'
import * as rules from './rules.ts'
import type { JobQuery } from './schema.ts'
import type { JobRow } from './table.ts'

export const findRule = ({ taskRules }: Deps, { task_identifier }: JobRow) =>
  taskRules[task_identifier] ?? {}

export const showJob = (deps: Deps, job: JobRow) => rules.showJob(job, findRule(deps, job))

export async function loadFailedJob(deps: Deps, trx: Transaction, id: string) {
  const job = await queue.find(trx, id)
  if (!job) throw rules.unknownJob()
  if (job.state !== 'failed' && job.state !== 'given_up') throw rules.notFailedJob()
  const payload = await queue.findPayload(trx, id)
  const about = await findRule(deps, job).about?.(trx, payload)
  return { job, payload, details: { job_id: id, task: job.task_identifier, ...about } }
}

export async function listJobs(deps: Deps, query: JobQuery) {
  const { rows, total } = await queue.findPage(deps.db, query)
  const views = rows.map((job) => showJob(deps, job))
  return toPage(views, total, query)
}
