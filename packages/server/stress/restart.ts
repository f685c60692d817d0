// Repeated kill −9 of the service and of PostgreSQL under writes (R1, R2): npm run stress:restart
// Shorter: npm run stress:restart -- KILLS=2
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { report } from '../../../benchmarks/report.ts'
import { findRunningPostgres } from '../src/platform/database/embedded/server.ts'
import { launchReady, newPlace, type ServiceProcess } from '../test/support/process.ts'
import { sizeOf } from './parts.ts'

const kills = sizeOf('KILLS', 20)
const promisedMs = 3_000

const place = await newPlace()
let service: ServiceProcess = await launchReady(place.env)
let acknowledgedCount = 0
const readyAfter: { service: number[]; postgres: number[] } = { service: [], postgres: [] }

for (let n = 0; n < kills; n++) {
  const victim = n % 2 === 0 ? 'service' : 'postgres'
  const client = await connect()
  await client.query('create table if not exists written (n int primary key)')
  const writing = writeUntilCut(client)
  await sleep(100 + Math.random() * 400)
  if (victim === 'service') {
    service.child.kill('SIGKILL')
    await service.exited
    service = await launchReady(place.env)
    readyAfter.service.push(service.readyMs)
  } else {
    const { pid } = (
      await (await connect()).query(`select pg_read_file('postmaster.pid') as text`)
    ).rows.map(({ text }) => ({ pid: Number(text.split('\n')[0]) }))[0] as { pid: number }
    process.kill(pid, 'SIGKILL')
    const killedAt = Date.now()
    await writing
    while (!(await connect().then(Boolean, () => false))) await sleep(10)
    readyAfter.postgres.push(Date.now() - killedAt)
  }
  await writing
  const present = Number(
    (await (await connect()).query('select count(*) as n from written')).rows[0].n,
  )
  // A row may exist without its acknowledgement. No acknowledged row may be missing.
  if (present < acknowledgedCount)
    throw new Error(`${acknowledgedCount - present} acknowledged rows were lost`)
  acknowledgedCount = present
}
service.child.kill('SIGTERM')
await service.exited
await place.clear()

const slowest = Math.max(...readyAfter.service, ...readyAfter.postgres)
if (slowest > promisedMs) process.stderr.write(`Ready only after ${slowest} ms\n`)
report(new URL('.', import.meta.url), 'restart', {
  kills,
  acknowledged_rows: acknowledgedCount,
  lost_rows: 0,
  ready_after_ms: { ...readyAfter, slowest, promised: promisedMs },
})
if (slowest > promisedMs) process.exitCode = 1

async function connect(): Promise<pg.Client> {
  const connection = await findRunningPostgres(place.env.DATA_DIR)
  if (!connection) throw new Error('PostgreSQL is not running')
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function writeUntilCut(client: pg.Client): Promise<void> {
  try {
    for (;;) {
      await client.query('insert into written values ($1)', [acknowledgedCount])
      acknowledgedCount++
    }
  } catch {}
}
