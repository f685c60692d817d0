import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps } from './deps.ts'
import { listJobs } from './read-jobs.ts'
import { removeJob } from './remove-job.ts'
import * as queue from './repository.ts'
import { retryJob } from './retry-job.ts'

export type Jobs = ReturnType<typeof createJobs>

/** The job queue for operators: list, retry, remove. */
export function createJobs(deps: Deps) {
  const { db } = deps

  return {
    ...bindUseCases(deps, {
      listJobs,
      retryJob,
      removeJob,
    }),
    countTasks: () => queue.countTasks(db),
  }
}
