import pg from 'pg'
import { describe, it, type TestContext } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { databaseProxy } from '../../../test/support/proxy.ts'
import { createPool } from '../database/pool.ts'
import { createLog } from '../log/log.ts'
import { startWorker } from './worker.ts'

const log = createLog('silent')

type WorkerOptions = {
  connection?: pg.ClientConfig
} & Partial<Pick<Parameters<typeof startWorker>[0], 'log' | 'watchTimes' | 'stopWithinMs'>>

/** A separate database for each test, since they run concurrently. */
async function jobDatabase({ onTestFinished }: TestContext) {
  const database = await testDatabase()
  const cleanUps: (() => Promise<unknown>)[] = [database.drop]
  onTestFinished(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  const connect = async () => {
    const client = new pg.Client(database.connection)
    client.on('error', () => {})
    await client.connect()
    cleanUps.push(() => client.end())
    return client
  }
  const admin = await connect()

  return {
    database,
    admin,
    cleanUps,
    async worker(task: (payload: unknown) => Promise<void>, options: WorkerOptions = {}) {
      const { connection = database.connection, ...more } = options
      const pool = createPool({ connection, size: 6, log, name: 'jobs' })
      cleanUps.push(() => pool.end())
      const modules = [{ tasks: { 'probe.task': task } }]
      const watchTimes = { lookEveryMs: 20, retryMs: 20, patienceMs: 200 }
      const startedWorker = await startWorker({ pool, log, modules, watchTimes, ...more })
      cleanUps.push(startedWorker.stop)
      return startedWorker
    },
    addJob: (name = 'job', queue?: string) =>
      admin.query(
        `select graphile_worker.add_job('probe.task', to_json($1::text), queue_name => $2)`,
        [name, queue ?? null],
      ),
    /** Locks the jobs of this name, as a worker does. */
    lockJobs: (worker: string, name = 'job') =>
      admin.query(
        `with queue as (
           update graphile_worker._private_job_queues set locked_at = now(), locked_by = '${worker}'
         )
         update graphile_worker._private_jobs set locked_at = now(), locked_by = '${worker}'
         where payload::text = '"${name}"'`,
      ),
    async holdLockOf(name: string) {
      const client = await connect()
      await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
      return client
    },
    async holders() {
      const { rows } = await admin.query<{ pid: number }>(
        `select distinct pid from pg_locks where locktype = 'advisory' and granted
           and database = (select oid from pg_database where datname = current_database())`,
      )
      return rows.map(({ pid }) => pid)
    },
  }
}

/** A task that waits until the test releases it. */
function gate() {
  let open = () => {}
  const openGate = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened: openGate, open }
}

describe.concurrent('jobs of a killed worker', () => {
  it.for([undefined, 'a queue'])(
    'jobs of a killed worker are run by the next worker (queue: %s)',
    async (queue, test) => {
      const { expect } = test
      const { addJob, lockJobs, worker } = await jobDatabase(test)
      const runs: unknown[] = []
      await addJob('job', queue)
      await lockJobs('pool-dead')
      await worker(async (name) => void runs.push(name))
      await expect.poll(() => runs).toEqual(['job'])
    },
  )

  it('jobs of a killed worker stay locked as long as the worker holds its lock', async (test) => {
    const { expect } = test
    const { addJob, holdLockOf, lockJobs, worker } = await jobDatabase(test)
    const runs: unknown[] = []
    for (const name of ['of the living', 'of the dead']) await addJob(name)
    await lockJobs('pool-other', 'of the living')
    await lockJobs('pool-dead', 'of the dead')
    const other = await holdLockOf('pool-other')
    await worker(async (name) => void runs.push(name))
    // Both jobs were locked equally long.
    await expect.poll(() => runs).toEqual(['of the dead'])
    await other.end()
    await expect.poll(() => runs).toEqual(['of the dead', 'of the living'])
  })
})

describe.concurrent('a job that ends while the database is unavailable', () => {
  it('a job that ends while the database is unavailable does not crash the worker, and runs again', async (test) => {
    const { expect } = test
    const { addJob, admin, cleanUps, database, worker } = await jobDatabase(test)
    const proxy = await databaseProxy(database.connection, database.url)
    cleanUps.push(proxy.close)
    let runs = 0
    const task = async () => {
      if (++runs === 1) proxy.cut()
    }
    const healAfterFailure = {
      write(line: string) {
        if (line.includes('Failed to complete jobs')) proxy.heal()
      },
    }
    await worker(task, {
      connection: { connectionString: proxy.url },
      log: createLog('error', healAfterFailure),
    })
    await addJob()
    const countLocks = async () => {
      const { rows } = await admin.query('select 1 from graphile_worker._private_jobs')
      return rows.length
    }
    await expect.poll(countLocks).toBe(0)

    expect(runs).toBe(2)
  })
})

describe.concurrent('jobs of a living worker', () => {
  it('jobs of a living worker are not taken over, even when its connections break', async (test) => {
    const { expect } = test
    const { addJob, admin, holders, worker } = await jobDatabase(test)
    const { opened, open } = gate()
    let runs = 0
    const slow = async () => {
      runs++
      await opened
    }
    // It is without its lock for many polls of the other, which is patient.
    await worker(slow, { watchTimes: { retryMs: 500 } })
    await addJob()
    await expect.poll(() => runs).toBe(1)
    await expect.poll(async () => (await holders()).length).toBe(1)
    const [before] = await holders()
    const patient = { lookEveryMs: 20, patienceMs: 60_000 }
    await worker(async () => void runs++, { watchTimes: patient })
    await expect.poll(async () => (await holders()).length).toBe(2)
    await admin.query('select pg_terminate_backend($1)', [before])
    const isBack = async () => {
      const now = await holders()
      return now.length === 2 && !now.includes(before ?? 0)
    }
    await expect.poll(isBack).toBe(true)
    const { rows } = await admin.query('select locked_by from graphile_worker._private_jobs')

    expect(rows).toEqual([{ locked_by: expect.any(String) }])
    expect(runs).toBe(1)
    open()
  })

  it('jobs of a living worker are released when it is stopped', async (test) => {
    const { expect } = test
    const { addJob, admin, worker } = await jobDatabase(test)
    const { opened, open } = gate()
    let runs = 0
    const first = await worker(
      async () => {
        runs++
        await opened
      },
      { stopWithinMs: 100 },
    )
    await addJob()
    await expect.poll(() => runs).toBe(1)
    await first.stop()
    // It would be retried some seconds later.
    await admin.query('update graphile_worker._private_jobs set run_at = now()')
    await worker(async () => void runs++)
    await expect.poll(() => runs).toBe(2)
    open()
  })
})
