import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Connection } from './pool.ts'

const everyMs = 500
const patienceMs = 1_000

/** Knows whether the database answers, so that nobody queues up in front of one that does not. */
export type DatabaseMonitor = {
  isAway(): boolean
  whenAway(listener: () => void): void
  stop(): Promise<void>
}

export function monitorDatabase(connection: Connection, log: Log): DatabaseMonitor {
  let away = false
  let stopped = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout
  const listeners: (() => void)[] = []

  const probe = async () => {
    try {
      client ??= await connect(connection)
      await client.query('select 1')
      if (away) log.info('The database answers again')
      away = false
    } catch (error) {
      if (!away && !stopped) {
        log.error({ err: error }, 'The database does not answer')
        for (const listener of listeners) listener()
      }
      away = true
      const broken = client
      client = undefined
      void broken?.end().catch(() => {})
    }
    if (!stopped) timer = setTimeout(probe, everyMs)
  }
  timer = setTimeout(probe, everyMs)

  return {
    isAway: () => away,
    whenAway: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
    application_name: `emojid-monitor-${process.pid}`,
  })
  client.on('error', () => {})
  await client.connect()
  return client
}
