import { refusal } from '../../../platform/errors.ts'
import type { Transaction } from '../../../tables.ts'
import type { JobRow } from './table.ts'

const longestError = 300

/** What operators may do about the jobs of a task, and what that means. */
export type TaskRule = Readonly<{
  /** Money or a promise hangs on it: it is tried again, and never removed. */
  isKept?: boolean
  /** What a job is about, for the audit log. */
  about?: (trx: Transaction, payload: unknown) => Promise<Record<string, unknown> | undefined>
  /** Asks outside of the transaction what the job has done so far. */
  beforeRemoved?: (payload: unknown) => Promise<void>
  /** Ends what waits for a job that never comes. */
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
 * The first line of a message, without what it may have been told in confidence: addresses and
 * telephone numbers, what stands behind the host of a link, and whatever looks like a token. Ids of rows stay.
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
  refusal('not_found', 'unknown_job', 'There is no such job any more. It may be done by now.')

export const notFailed = () => {
  const message = 'Only a job that failed, and is not at work, can be tried again or removed.'
  return refusal('refused', 'not_failed_job', message)
}

export const keptJob = () => {
  const message = 'Money or a promise hangs on this job: it can be tried again, but not be removed.'
  return refusal('refused', 'kept_job', message)
}
