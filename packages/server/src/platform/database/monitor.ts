import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Connection } from './pool.ts'

/**
 * After this a second connection asks too: the first may be broken while the database is available.
 */
const secondOpinionMs = 500
const tickMs = 100
/** A socket that never connects is closed after this, or after `silenceMs` if that is longer. */
const connectTimeoutMs = 5_000

/**
 * A separate connection that polls the database. It detects an outage, and receives the
 * notifications of other processes: a response to a poll proves that every notification sent before
 * it has arrived.
 */
export type DatabaseMonitor = {
  isAway(): boolean
  /** True if every change older than a second has been received. */
  isCurrent(): boolean
  whenAway(listener: () => void): void
  /** Calls `onPayload` for every notification on the channel, and `onGap` if some may be lost. */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): void
  stop(): Promise<void>
}

type Subscription = { onPayload: (payload: string) => void; onGap: () => void }

type Listener = {
  client: pg.Client
  channels: Set<string>
  /** Subscribed from now on; earlier notifications may be lost. */
  newChannels: Set<string>
}

type MonitorTimes = {
  /** The pause between two polls. */
  everyMs: number
  /** The database counts as unavailable after this long without a response on either connection. */
  silenceMs: number
  /** The lease of cached rows after the last response. */
  leaseMs: number
}

export const usualTimes: MonitorTimes = { everyMs: 200, silenceMs: 1_500, leaseMs: 900 }

export function monitorDatabase(
  connection: Connection,
  log: Log,
  { everyMs, silenceMs, leaseMs } = usualTimes,
): DatabaseMonitor {
  const subscriptions = new Map<string, Subscription>()
  const whenAway: (() => void)[] = []
  /** All open connections; between two polls only the listener's. */
  const openClients = new Set<pg.Client>()
  let listener: Listener | undefined
  let away = false
  let isStopped = false
  let currentUntil = 0
  let timer: NodeJS.Timeout

  const connect = async (): Promise<Listener> => {
    const client = createClient(connection, Math.max(connectTimeoutMs, silenceMs))
    openClients.add(client)
    client.on('notification', ({ channel, payload = '' }) =>
      subscriptions.get(channel)?.onPayload(payload),
    )
    client.on('end', () => {
      if (listener?.client !== client) return
      // Notifications are lost from now on; the database may still be available.
      listener = undefined
      currentUntil = 0
    })
    await client.connect()
    return { client, channels: new Set(), newChannels: new Set() }
  }
  const ask = async (on: Listener): Promise<Listener> => {
    for (const channel of subscriptions.keys()) {
      if (on.channels.has(channel)) continue
      await on.client.query(`listen ${channel}`)
      on.channels.add(channel)
      on.newChannels.add(channel)
    }
    await on.client.query('select 1')
    return on
  }
  const askAnew = () => connect().then(ask)

  /** Polls on the listening connection, then on a second one too; keeps the one that responds. */
  const awaitAnswer = async (): Promise<void> => {
    const startedAt = performance.now()
    const answeredListener = await firstAnswer(
      [listener ? ask(listener) : askAnew()],
      askAnew,
      silenceMs,
    )
    // Gaps are reported once the connection is kept: a discarded one loses no notifications.
    for (const channel of answeredListener.newChannels) subscriptions.get(channel)?.onGap()
    answeredListener.newChannels.clear()
    listener = answeredListener
    currentUntil = startedAt + leaseMs
  }
  const closeAllBut = async (survivor: pg.Client | undefined): Promise<void> => {
    const others = [...openClients].filter((client) => client !== survivor)
    for (const client of others) openClients.delete(client)
    // A client that waits for a response closes its socket without delay.
    await Promise.all(others.map((client) => client.end().catch(() => {})))
  }
  const hasAllChannels = () => listener?.channels.size === subscriptions.size
  const probe = async () => {
    try {
      await awaitAnswer()
      if (away) log.info('The database is available again')
      away = false
    } catch (error) {
      listener = undefined
      currentUntil = 0
      if (!away && !isStopped) {
        log.error({ err: error }, 'The database does not respond')
        away = true
        for (const tell of whenAway) tell()
      }
    }
    void closeAllBut(isStopped ? undefined : listener?.client)
    if (!isStopped) timer = setTimeout(probe, hasAllChannels() ? everyMs : usualTimes.everyMs)
  }
  timer = setTimeout(probe, 0)

  return {
    isAway: () => away,
    isCurrent: () => performance.now() < currentUntil,
    whenAway: (tell) => void whenAway.push(tell),
    listen: (channel, onPayload, onGap) => void subscriptions.set(channel, { onPayload, onGap }),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await closeAllBut(undefined)
    },
  }
}

function createClient(connection: Connection, connectionTimeoutMillis: number): pg.Client {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis,
    application_name: `emojid-monitor-${process.pid}`,
  })
  client.on('error', () => {})
  return client
}

/**
 * Waits for the first response. A failed attempt, or half a second without one, starts one more.
 * Counts ticks instead of time: in a process that was suspended, the timer fires before the waiting
 * response is read.
 */
async function firstAnswer(
  attempts: Promise<Listener>[],
  tryAgain: () => Promise<Listener>,
  silenceMs: number,
): Promise<Listener> {
  for (let waitMs = 0; waitMs < silenceMs; waitMs += tickMs) {
    const answer = Promise.any(attempts)
    const outcome = await Promise.race([
      answer.catch(() => 'failed' as const),
      sleep(tickMs, 'silent' as const),
    ])
    if (typeof outcome !== 'string') return outcome
    const isSecondDue = outcome === 'failed' || waitMs >= secondOpinionMs
    if (attempts.length === 1 && isSecondDue) {
      const second = tryAgain()
      // Its failure counts below; in the last tick it would be unhandled.
      second.catch(() => {})
      attempts.push(second)
    } else if (outcome === 'failed') return answer
  }
  throw new Error(`The database did not respond for ${silenceMs} ms.`)
}
