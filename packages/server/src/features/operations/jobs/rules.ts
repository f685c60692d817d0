import { refusal } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { JobRow } from './repository.ts'

const longestError = 300

/** The rules for operators on the jobs of a task. */
export type TaskRule = Readonly<{
  /** The job moves money or keeps a promise: operators can retry it but never remove it. */
  isKept?: boolean
  /** Describes a job for the audit log. */
  about?: (trx: Transaction, payload: unknown) => Promise<Record<string, unknown> | undefined>
  /** Runs before the transaction, to reconcile what the job has done so far. */
  beforeRemoved?: (payload: unknown) => Promise<void>
  /** Cleans up after a removed job. */
  whenRemoved?: (trx: Transaction, payload: unknown) => Promise<void>
}>

/** A job as operators see it. */
export const showJob = (job: JobRow, { isKept = false }: TaskRule = {}) => ({
  removable: !isKept,
  id: job.id,
  task: job.task_identifier,
  state: job.state,
  attempts: job.attempts,
  max_attempts: job.max_attempts,
  run_at: job.run_at,
  created_at: job.created_at,
  key: job.key && scrub(job.key),
  error: job.last_error && scrub(job.last_error),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The first line of an error, without private data: removes mail addresses, phone numbers, the paths
 * of links, and tokens. Keeps the ids of rows.
 */
export function scrub(text: string): string {
  const [line = ''] = text.trim().split('\n')
  const scrubbed = line
    .slice(0, 4 * longestError)
    .replaceAll(/([a-z][a-z+.-]*:\/\/)([^\s"'<>/?#]*)[^\s"'<>]*/gi, (_all, scheme, host) => {
      return `${scheme}${host.split('@').at(-1)}/…`
    })
    .replaceAll(/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '…@…')
    .replaceAll(/\+\d[\d -]{6,}\d/g, '…')
    .replaceAll(/(?=[^\d\s]*\d)[\w+/=-]{20,}|[\w+/=-]{40,}/g, (word) =>
      uuid.test(word) ? word : '…',
    )
  return scrubbed.length > longestError ? `${scrubbed.slice(0, longestError)}…` : scrubbed
}

export const unknownJob = () =>
  refusal('not_found', 'unknown_job', 'No job has this id. It may be finished.')

export const notFailedJob = () => {
  const message = 'You can retry or remove a job only after it has failed.'
  return refusal('refused', 'not_failed_job', message)
}

export const keptJob = () => {
  const message =
    'This job can’t be removed, because payments or users depend on it. Retry it instead.'
  return refusal('refused', 'kept_job', message)
}
