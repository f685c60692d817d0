import type { jobStates } from '@emojid/core'
import { type RawBuilder, sql } from 'kysely'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { JobQuery } from './routes.ts'

export type State = (typeof jobStates)[number]

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

/** The queue's view, which has no payloads. */
const jobs = sql`(
  select id::text, id as nth, task_identifier, key, attempts, max_attempts, run_at, created_at,
    last_error,
    case
      when locked_at is not null then 'running'
      when attempts >= max_attempts then 'given_up'
      when attempts > 0 then 'failed'
      else 'waiting'
    end as state
  from graphile_worker.jobs
) as job`

const columns = sql.raw(
  'id, task_identifier, state, key, attempts, max_attempts, run_at, created_at, last_error',
)

export async function findPage(db: Database, query: JobQuery) {
  const { limit, offset } = pageBounds(query)
  const { state, task, sort, dir } = query
  const conditions: RawBuilder<unknown>[] = [sql`true`]
  if (state !== undefined) conditions.push(sql`state = ${state}`)
  if (task !== undefined) conditions.push(sql`task_identifier = ${task}`)
  const matching = sql`from ${jobs} where ${sql.join(conditions, sql` and `)}`
  const direction = sql.raw(dir === 'Asc' ? 'asc' : 'desc')
  const [{ rows }, { rows: countRows }] = await Promise.all([
    sql<JobRow>`select ${columns} ${matching}
      order by ${sql.ref(sort)} ${direction}, nth ${direction}
      limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: string }>`select count(*) as total ${matching}`.execute(db),
  ])
  return { rows, total: Number(countRows[0]?.total ?? 0) }
}

export async function find(db: Database, id: string): Promise<JobRow | undefined> {
  const { rows } =
    await sql<JobRow>`select ${columns} from ${jobs} where nth = ${id}::bigint`.execute(db)
  return rows[0]
}

type TaskRow = Record<State, number> & { task: string; oldest_due: Date | null }

export async function countTasks(db: Database): Promise<TaskRow[]> {
  const count = (state: State) => sql`count(*) filter (where state = ${state})::int`
  const { rows } = await sql<TaskRow>`
    select task_identifier as task, ${count('waiting')} as waiting, ${count('running')} as running,
      ${count('failed')} as failed, ${count('given_up')} as given_up,
      min(run_at) filter (where state in ('waiting', 'failed') and run_at <= now()) as oldest_due
    from ${jobs} group by task_identifier order by task_identifier`.execute(db)
  return rows
}

/** Returns false if a worker has locked the job, or if it is gone. */
export async function retry(trx: Transaction, id: string): Promise<boolean> {
  const { rows } = await sql`select id from graphile_worker.reschedule_jobs(
    array[${id}::bigint], run_at => now(), attempts => 0)`.execute(trx)
  return rows.length > 0
}

/** Completes the job, so that it is not retried. Returns false like `retry`. */
export async function remove(trx: Transaction, id: string): Promise<boolean> {
  const { rows } =
    await sql`select id from graphile_worker.complete_jobs(array[${id}::bigint])`.execute(trx)
  return rows.length > 0
}
