import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Connection } from './pool.ts'

const everyMs = 200
const patienceMs = 1_000
/** How late a timer is in a process that is well. */
const delayMs = 200
/** Whoever keeps copies of rows may trust them this long after the last sign of life. */
const leaseMs = 900

/**
 * A connection of its own that asks the database for a sign of life, again and again. It knows
 * whether the database is away, and hears what other processes change: an answer to a question
 * also proves that every notice sent before the question has arrived.
 */
export type DatabaseMonitor = {
  isAway(): boolean
  /** Whether every change older than a second has been heard of. */
  isCurrent(): boolean
  whenAway(listener: () => void): void
  /** Calls `heard` for every notice on the channel, and `missed` when some may have been lost. */
  listen(channel: string, heard: (payload: string) => void, missed: () => void): void
  stop(): Promise<void>
}

type Subscription = { heard: (payload: string) => void; missed: () => void }

export function monitorDatabase(connection: Connection, log: Log): DatabaseMonitor {
  const subscriptions = new Map<string, Subscription>()
  const listening = new Set<string>()
  const whenAway: (() => void)[] = []
  let client: pg.Client | undefined
  let away = false
  let stopped = false
  let currentUntil = 0
  let timer: NodeJS.Timeout

  const connect = async () => {
    const fresh = await open(connection)
    fresh.on('notification', ({ channel, payload = '' }) =>
      subscriptions.get(channel)?.heard(payload),
    )
    fresh.on('end', () => {
      if (client !== fresh) return
      // What others change is not heard any more; whether the database is away is another question.
      client = undefined
      currentUntil = 0
    })
    listening.clear()
    return fresh
  }
  const hearAll = async (on: pg.Client) => {
    for (const [channel, { missed }] of subscriptions) {
      if (listening.has(channel)) continue
      await on.query(`listen ${channel}`)
      listening.add(channel)
      missed()
    }
  }
  const ask = async () => {
    const asked = performance.now()
    client ??= await connect()
    await hearAll(client)
    await client.query('select 1')
    currentUntil = asked + leaseMs
  }
  const probe = async () => {
    const begun = performance.now()
    try {
      await ask().catch((error) => {
        // Only the connection was lost: another one tells whether the database is still there.
        const isLost = client === undefined
        // A process that stood still hears its own timer before the answer that has long come.
        const stoodStill = performance.now() - begun > patienceMs + delayMs
        if ((isLost || stoodStill) && !stopped) return ask()
        throw error
      })
      if (away) log.info('The database answers again')
      away = false
    } catch (error) {
      const broken = client
      client = undefined
      currentUntil = 0
      void broken?.end().catch(() => {})
      if (!away && !stopped) {
        log.error({ err: error }, 'The database does not answer')
        for (const listener of whenAway) listener()
      }
      away = true
    }
    if (!stopped) timer = setTimeout(probe, everyMs)
  }
  timer = setTimeout(probe, 0)

  return {
    isAway: () => away,
    isCurrent: () => performance.now() < currentUntil,
    whenAway: (listener) => void whenAway.push(listener),
    listen: (channel, heard, missed) => void subscriptions.set(channel, { heard, missed }),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}

async function open(connection: Connection): Promise<pg.Client> {
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
