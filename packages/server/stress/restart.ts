// Repeated kill −9 of the service and of PostgreSQL under writes (R1, R2): npm run stress:restart
// Shorter: npm run stress:restart -- KILLS=2
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Findings, onStage, type Stage } from './account-stage.ts'
import { runParts, sizeOf } from './parts.ts'

const kills = sizeOf('KILLS', 20)
const promisedMs = 3_000
let acknowledgedCount = 0

const measureKills = (): Promise<Findings> =>
  onStage(async (stage) => {
    const broken: string[] = []
    const postgresMs: number[] = []
    for (let n = 0; n < kills; n++) {
      const client = await connect(stage)
      await client.query('create table if not exists written (n int primary key)')
      const writing = writeUntilCut(client)
      await sleep(100 + Math.random() * 400)
      if (n % 2 === 0) {
        await stage.kill({ withPostgres: false })
        await stage.restart()
      } else {
        const killedAt = Date.now()
        await stage.killPostgres()
        while (!(await canConnect(stage))) await sleep(10)
        postgresMs.push(Date.now() - killedAt)
      }
      await writing
      const [row] = await stage.query<{ count: string }>('select count(*) from written')
      const present = Number(row?.count)
      // A row may exist without its acknowledgement. No acknowledged row may be missing.
      if (present < acknowledgedCount)
        broken.push(`${acknowledgedCount - present} acknowledged rows were lost`)
      acknowledgedCount = present
    }
    const slowest = Math.max(...stage.readyMs, ...postgresMs)
    if (slowest > promisedMs) broken.push(`Ready only after ${slowest} ms`)
    const ready_after_ms = {
      service: stage.readyMs,
      postgres: postgresMs,
      slowest,
      promised: promisedMs,
    }
    const figures = { kills, acknowledged_rows: acknowledgedCount, ready_after_ms }
    return { figures, broken }
  })

async function connect(stage: Stage): Promise<pg.Client> {
  const connection = await stage.connection()
  if (!connection) throw new Error('PostgreSQL is not running')
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

const canConnect = (stage: Stage): Promise<boolean> =>
  connect(stage).then(
    (client) => client.end().then(() => true),
    () => false,
  )

async function writeUntilCut(client: pg.Client): Promise<void> {
  try {
    for (;;) {
      await client.query('insert into written values ($1)', [acknowledgedCount])
      acknowledgedCount++
    }
  } catch {}
}

await runParts('restart', { kills: measureKills })
