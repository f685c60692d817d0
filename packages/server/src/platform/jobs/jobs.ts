import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { JobModule } from './worker.ts'

type JobOptions = {
  /** Jobs with the same key are one job: adding it again replaces the waiting one. */
  key?: string
  run_at?: Date
  /** Jobs of one queue run one after the other. */
  queue?: string
  max_attempts?: number
  /** 0 by default; of the due jobs, those with smaller numbers run first. */
  priority?: number
}

type Expression = RawBuilder<unknown>
type Options = { [Name in keyof JobOptions]: JobOptions[Name] | Expression }

/** Adds a job. In a transaction, the job exists only if the transaction commits. */
export async function addJob(
  db: QueryExecutorProvider,
  task: string,
  payload: Record<string, unknown> = {},
  options: JobOptions = {},
): Promise<void> {
  await sql`select ${jobCall(task, sql`${JSON.stringify(payload)}::json`, options)}`.execute(db)
}

/** The call that adds a job, for a statement that adds one per row: its values may be expressions. */
export const jobCall = (
  task: string,
  payload: Expression,
  { key, run_at, queue, max_attempts, priority }: Options,
) => sql`graphile_worker.add_job(
    identifier => ${task},
    payload => ${payload},
    queue_name => ${queue ?? null},
    run_at => ${run_at ?? null}::timestamptz,
    max_attempts => ${max_attempts ?? null}::int,
    job_key => ${key ?? null},
    priority => ${priority ?? null}::int
  )`

/** The id in a job's payload, if there is one. */
export const idOf = (payload: unknown): string => (payload as { id: string }).id

// Only this file reads private tables of graphile-worker: its view `jobs` has no payloads and no
// queues. An update of graphile-worker may change them.

/** Selects the workers that have locked jobs or queues. */
export const selectBusyWorkers = `
  select locked_by as worker from graphile_worker._private_jobs where locked_by is not null
  union
  select locked_by from graphile_worker._private_job_queues where locked_by is not null`

/** Operators see this as the error of a parked job. */
const parkedReason = 'Parked by after-restore: it may have run before the restore'

/**
 * Marks every waiting job as failed for good, so that it runs only after an operator retries it.
 * Scheduled jobs, whose key is their task, only maintain rows. Returns the number of jobs by task.
 */
export async function parkJobs(db: QueryExecutorProvider): Promise<Map<string, number>> {
  await sql`select graphile_worker.force_unlock_workers(array_agg(worker))
    from (${sql.raw(selectBusyWorkers)}) as busy`.execute(db)
  const { rows } = await sql<{ task: string; count: number }>`
    with parked as materialized (
      select id from graphile_worker.permanently_fail_jobs(array(
        select id from graphile_worker.jobs
        where attempts < max_attempts and key is distinct from task_identifier
      ), ${parkedReason})
    )
    select task_identifier as task, count(*) as count
    from graphile_worker.jobs where id in (select id from parked)
    group by 1 order by 1`.execute(db)
  return new Map(rows.map(({ task, count }) => [task, count]))
}

/** Lets parked jobs run at their times, those of the task or all others; returns how many. */
export async function releaseJobs(
  db: QueryExecutorProvider,
  task: string,
  others = false,
): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.reschedule_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and last_error = ${parkedReason}
        and (task_identifier = ${task}) <> ${others}
    ), attempts => 0)`.execute(db)
  return rows.length
}

/** The payload of a job; only its task can interpret it. */
export async function findPayload(db: QueryExecutorProvider, id: string): Promise<unknown> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from graphile_worker._private_jobs where id = ${id}::bigint`.execute(db)
  return rows[0]?.payload
}

/** The ids without a job of this task. */
export async function withoutJob(
  db: QueryExecutorProvider,
  task: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::text[]) as wanted (id)
    where not exists (
      select from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id
      where task.identifier = ${task} and job.payload ->> 'id' = wanted.id)`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes what has expired by a certain time. */
export type Purge<Db> = readonly [
  task: string,
  cron: string,
  purge: (db: Db, at: Date) => Promise<unknown>,
]

export const purgeJobs = <Db>(
  { db, now }: { db: Db; now: () => Date },
  purges: readonly Purge<Db>[],
): JobModule => ({
  tasks: Object.fromEntries(
    purges.map(([task, , purge]) => [task, async () => void (await purge(db, now()))]),
  ),
  schedules: purges.map(([task, cron]) => ({ task, cron })),
})
