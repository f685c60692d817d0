export const states = ['waiting', 'running', 'failed', 'given_up'] as const
export type State = (typeof states)[number]

/** A row of the queue's view, which has no payloads. */
export type JobRow = {
  id: string
  task_identifier: string
  state: State
  key: string | null
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  last_error: string | null
}
