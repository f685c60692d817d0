import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Connection } from './pool.ts'

const everyMs = 200
/** After this a second connection asks too: the first may be broken while the database is well. */
const secondOpinionMs = 500
/** The database counts as away after so long without an answer on either connection. */
export const usualSilenceMs = 1_500
const tickMs = 100
/** Copies of rows may be trusted this long after the last answer. */
const leaseMs = 900
/** A socket that never connects is closed after this. */
const connectTimeoutMs = 5_000

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

type Listener = {
  client: pg.Client
  channels: Set<string>
  /** Heard from now on; notices before that may be lost. */
  newChannels: Set<string>
}

export function monitorDatabase(
  connection: Connection,
  log: Log,
  silenceMs = usualSilenceMs,
): DatabaseMonitor {
  const subscriptions = new Map<string, Subscription>()
  const whenAway: (() => void)[] = []
  /** Every connection that was opened and not closed yet: between two probes only the listener's. */
  const opened = new Set<pg.Client>()
  let listener: Listener | undefined
  let away = false
  let stopped = false
  let currentUntil = 0
  let timer: NodeJS.Timeout

  const connect = async (): Promise<Listener> => {
    const client = createClient(connection)
    opened.add(client)
    client.on('notification', ({ channel, payload = '' }) =>
      subscriptions.get(channel)?.heard(payload),
    )
    client.on('end', () => {
      if (listener?.client !== client) return
      // Notices are lost from now on. Whether the database is away is another question.
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

  /** Asks on the connection that listens, then on a second one too; the one that answers is kept. */
  const awaitAnswer = async (): Promise<void> => {
    const asked = performance.now()
    const answered = await firstAnswer([listener ? ask(listener) : askAnew()], askAnew, silenceMs)
    // Not before it is kept: a second connection that comes too late loses no notices.
    for (const channel of answered.newChannels) subscriptions.get(channel)?.missed()
    answered.newChannels.clear()
    listener = answered
    currentUntil = asked + leaseMs
  }
  const closeAllBut = async (kept: pg.Client | undefined): Promise<void> => {
    const others = [...opened].filter((client) => client !== kept)
    for (const client of others) opened.delete(client)
    // A client that waits for an answer closes its socket at once.
    await Promise.all(others.map((client) => client.end().catch(() => {})))
  }
  const probe = async () => {
    try {
      await awaitAnswer()
      if (away) log.info('The database answers again')
      away = false
    } catch (error) {
      listener = undefined
      currentUntil = 0
      if (!away && !stopped) {
        log.error({ err: error }, 'The database does not answer')
        away = true
        for (const tell of whenAway) tell()
      }
    }
    void closeAllBut(stopped ? undefined : listener?.client)
    if (!stopped) timer = setTimeout(probe, everyMs)
  }
  timer = setTimeout(probe, 0)

  return {
    isAway: () => away,
    isCurrent: () => performance.now() < currentUntil,
    whenAway: (tell) => void whenAway.push(tell),
    listen: (channel, heard, missed) => void subscriptions.set(channel, { heard, missed }),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await closeAllBut(undefined)
    },
  }
}

function createClient(connection: Connection): pg.Client {
  const client = new pg.Client({
    ...connection,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: `emojid-monitor-${process.pid}`,
  })
  client.on('error', () => {})
  return client
}

/**
 * Waits for the first attempt that is answered. A failed attempt, or half a second of silence, is
 * followed by one more. Counts ticks instead of time: a process that stood still finds its timer
 * due before it reads the answer that came meanwhile, and must not take that for silence.
 */
async function firstAnswer(
  attempts: Promise<Listener>[],
  tryAgain: () => Promise<Listener>,
  silenceMs: number,
): Promise<Listener> {
  for (let waited = 0; waited < silenceMs; waited += tickMs) {
    const answer = Promise.any(attempts)
    const outcome = await Promise.race([
      answer.catch(() => 'failed' as const),
      sleep(tickMs, 'silent' as const),
    ])
    if (typeof outcome !== 'string') return outcome
    const isSecondDue = outcome === 'failed' || waited >= secondOpinionMs
    if (attempts.length === 1 && isSecondDue) {
      const second = tryAgain()
      // Its failure counts below; in the last tick nothing else would hear it.
      second.catch(() => {})
      attempts.push(second)
    } else if (outcome === 'failed') return answer
  }
  throw new Error(`The database did not answer for ${silenceMs} ms.`)
}
