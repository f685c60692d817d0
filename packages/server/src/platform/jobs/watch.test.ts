import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, it, type TestContext } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { databaseProxy } from '../../../test/support/proxy.ts'
import { createPool } from '../database/pool.ts'
import { createLog } from '../log/log.ts'
import { startWorker } from './worker.ts'

const log = createLog('silent')

/** A database of its own for each test: they wait for seconds, so they wait together. */
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
    ...{ database, admin, cleanUps },
    async worker(task: (payload: unknown) => Promise<void>, connection = database.connection) {
      const pool = createPool({ connection, size: 6, log, name: 'jobs' })
      cleanUps.push(() => pool.end())
      const modules = [{ tasks: { 'probe.task': task } }]
      const started = await startWorker({ pool, log, modules })
      cleanUps.push(started.stop)
      return started
    },
    addJob: (queue?: string) =>
      admin.query(`select graphile_worker.add_job('probe.task', queue_name => $1)`, [
        queue ?? null,
      ]),
    lockJobs: (name: string) =>
      admin.query(
        `with queue as (
           update graphile_worker._private_job_queues set locked_at = now(), locked_by = '${name}'
         )
         update graphile_worker._private_jobs set locked_at = now(), locked_by = '${name}'`,
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

describe.concurrent('jobs of a worker that was killed', () => {
  it.for([undefined, 'a queue'])(
    'are run by the next within seconds (queue: %s)',
    async (queue, test) => {
      const { expect } = test
      const { addJob, lockJobs, worker } = await jobDatabase(test)
      let runs = 0
      await addJob(queue)
      await lockJobs('pool-dead')
      const started = Date.now()
      await worker(async () => void runs++)

      await expect.poll(() => runs, { timeout: 10_000 }).toBe(1)
      expect(Date.now() - started).toBeLessThan(6_000)
    },
  )

  it('are left alone as long as it holds its lock, and no longer', async (test) => {
    const { expect } = test
    const { addJob, holdLockOf, lockJobs, worker } = await jobDatabase(test)
    let runs = 0
    await addJob()
    await lockJobs('pool-other')
    const other = await holdLockOf('pool-other')
    await worker(async () => void runs++)
    await sleep(5_000)
    const whileAlive = runs
    await other.end()

    expect(whileAlive).toBe(0)
    await expect.poll(() => runs, { timeout: 8_000 }).toBe(1)
  })
})

describe.concurrent('a job that ends while the database is away', () => {
  it('harms nobody, and runs again', async (test) => {
    const { expect } = test
    const { addJob, admin, cleanUps, database, worker } = await jobDatabase(test)
    const proxy = await databaseProxy(database.connection, database.url)
    cleanUps.push(proxy.close)
    let runs = 0
    const task = async () => {
      if (++runs > 1) return
      proxy.cut()
      setTimeout(proxy.heal, 1_000)
    }
    await worker(task, { connectionString: proxy.url })
    await addJob()
    const left = async () => {
      const { rows } = await admin.query('select 1 from graphile_worker._private_jobs')
      return rows.length
    }
    await expect.poll(left, { timeout: 15_000 }).toBe(0)

    expect(runs).toBe(2)
  })
})

describe.concurrent('jobs of a living worker', () => {
  it('are not taken over, not even when its connections break', async (test) => {
    const { expect } = test
    const { addJob, admin, holders, worker } = await jobDatabase(test)
    let runs = 0
    const slow = async () => {
      runs++
      await sleep(8_000)
    }
    await worker(slow)
    await addJob()
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(1)
    await expect.poll(async () => (await holders()).length).toBe(1)
    const [before] = await holders()
    await worker(async () => void runs++)
    await expect.poll(async () => (await holders()).length).toBe(2)
    await admin.query('select pg_terminate_backend($1)', [before])
    await sleep(5_500)
    const { rows } = await admin.query('select 1 from graphile_worker._private_jobs')

    expect(rows).toHaveLength(1)
    expect(runs).toBe(1)
    expect(await holders()).toHaveLength(2)
  })

  it('that is stopped meanwhile are free for the next', async (test) => {
    const { expect } = test
    const { addJob, worker } = await jobDatabase(test)
    let runs = 0
    const first = await worker(async () => {
      runs++
      await sleep(12_000)
    })
    await addJob()
    await expect.poll(() => runs, { timeout: 5_000 }).toBe(1)
    const asked = Date.now()
    await first.stop()
    const stoppedAfter = Date.now() - asked
    await worker(async () => void runs++)

    expect(stoppedAfter).toBeLessThan(5_000)
    await expect.poll(() => runs, { timeout: 8_000 }).toBe(2)
  })
})
