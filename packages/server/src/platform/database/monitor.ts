import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Fence } from './fence.ts'
import {
  assertDirect,
  connectToBest,
  type ProvenClient,
  readIdentity,
  UnusableServerError,
} from './hosts.ts'

/**
 * After this a second connection asks too: the first may be broken while the database is available.
 */
const secondOpinionMs = 500
const tickMs = 100
/** A socket that never connects is closed after this, or after `silenceMs` if that is longer. */
const connectTimeoutMs = 5_000
/** How often the other hosts are asked for a new primary. */
const scoutMs = 2_000
/** How often the primary commits something, so that an idle one does not make its standbys look old. */
const beatMs = 500

/**
 * A separate connection that polls the database. It detects an outage and a new primary, and
 * receives the notifications of other processes: a response to a poll proves that every notification
 * sent before it has arrived. A standby sends none, so nothing is cached there.
 */
export type DatabaseMonitor = {
  isAway(): boolean
  /** False also on a standby. */
  isWritable(): boolean
  /** Why it is away, for operators. */
  reason(): string
  /** The maximum age of a standby's rows; undefined on a primary. */
  standby(): { behind_ms: number } | undefined
  /** True if every change older than a second has been received. */
  isCurrent(): boolean
  whenAway(listener: () => void): void
  /** Calls `onPayload` for every notification on the channel, and `onGap` if some may be lost. */
  listen(channel: string, onPayload: (payload: string) => void, onGap: () => void): void
  stop(): Promise<void>
}

type Subscription = { onPayload: (payload: string) => void; onGap: () => void }

type Listener = ProvenClient & {
  channels: Set<string>
  /** Subscribed from now on; earlier notifications may be lost. */
  newChannels: Set<string>
  behindMs: number
}

type Heartbeat = { is_standby: boolean; pid: number; channels: number; behind_ms: number | null }

type MonitorTimes = {
  /** The pause between two polls. */
  everyMs: number
  /** The database counts as unavailable after this long without a response on either connection. */
  silenceMs: number
  /** The lease of cached rows after the last response. */
  leaseMs: number
  /** An older standby counts as unavailable. */
  maxBehindMs: number
}

export const usualTimes: MonitorTimes = {
  everyMs: 200,
  silenceMs: 1_500,
  leaseMs: 900,
  maxBehindMs: 5_000,
}

export function monitorDatabase(
  fence: Fence,
  log: Log,
  { everyMs, silenceMs, leaseMs, maxBehindMs } = usualTimes,
): DatabaseMonitor {
  const subscriptions = new Map<string, Subscription>()
  const whenAway: (() => void)[] = []
  /** All open connections; between two polls only the listener's. */
  const openClients = new Set<pg.Client>()
  let listener: Listener | undefined
  let away = false
  let reason = ''
  let beatAt = 0
  let isStopped = false
  let currentUntil = 0
  let timer: NodeJS.Timeout
  let scoutTimer: NodeJS.Timeout | undefined

  const connect = async (): Promise<Listener> => {
    const proven = await connectToBest(fence.hosts, {
      // A standby is used only once all other hosts have failed: in time for this poll.
      connectionTimeoutMillis:
        fence.hosts.length > 1 ? (silenceMs * 2) / 3 : Math.max(connectTimeoutMs, silenceMs),
      application_name: `emojid-monitor-${process.pid}`,
      onClient: (client) => openClients.add(client),
    })
    const { client } = proven
    client.on('notification', ({ channel, payload = '' }) =>
      subscriptions.get(channel)?.onPayload(payload),
    )
    client.on('end', () => {
      if (listener?.client === client) loseListener()
    })
    return { ...proven, channels: new Set(), newChannels: new Set(), behindMs: 0 }
  }
  /** Notifications are lost from now on; the database may still be available. */
  const loseListener = () => {
    listener = undefined
    currentUntil = 0
  }
  const ask = async (on: Listener): Promise<Listener> => {
    const { client } = on
    for (const channel of on.identity.is_standby ? [] : subscriptions.keys()) {
      if (on.channels.has(channel)) continue
      await client.query(`listen ${channel}`)
      on.channels.add(channel)
      on.newChannels.add(channel)
    }
    const isBeatDue = !on.identity.is_standby && performance.now() - beatAt >= beatMs
    if (isBeatDue) beatAt = performance.now()
    const { rows } = await client.query<Heartbeat>({ ...heartbeat, values: [isBeatDue] })
    const [row] = rows as [Heartbeat]
    assertDirect(client, row.pid)
    if (on.identity.is_standby && !row.is_standby) {
      on.identity = await readIdentity(client)
      return ask(on)
    }
    if (row.channels < on.channels.size) throw new Error('The database forgot to send notices.')
    on.behindMs = Math.max(0, row.behind_ms ?? Number.POSITIVE_INFINITY)
    if (row.is_standby && on.behindMs > maxBehindMs) throw lateStandby(on.behindMs)
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
    fence.adopt(answeredListener)
    // Gaps are reported once the connection is kept: a discarded one loses no notifications.
    for (const channel of answeredListener.newChannels) subscriptions.get(channel)?.onGap()
    answeredListener.newChannels.clear()
    listener = answeredListener
    currentUntil = fence.isStandby() ? 0 : startedAt + leaseMs
  }
  const closeAllBut = async (survivor: pg.Client | undefined): Promise<void> => {
    const others = [...openClients].filter((client) => client !== survivor)
    for (const client of others) openClients.delete(client)
    // A client that waits for a response closes its socket without delay.
    await Promise.all(others.map((client) => client.end().catch(() => {})))
  }
  const hasAllChannels = () => fence.isStandby() || listener?.channels.size === subscriptions.size
  /** Another primary was seen: the next poll connects to it, and nothing cached is used until then. */
  const leaveServer = () => {
    const formerListener = listener
    loseListener()
    void formerListener?.client.end().catch(() => {})
  }
  fence.whenSuccessorSeen(leaveServer)
  /** A former primary that is cut off from its cluster may respond to us for long. */
  const scout = async () => {
    const [other, ...others] = fence.hosts.filter((host) => host !== fence.host())
    if (!other || isStopped) return
    try {
      const { client, identity } = await connectToBest([other, ...others], {
        connectionTimeoutMillis: scoutMs,
        application_name: `emojid-scout-${process.pid}`,
      })
      void client.end().catch(() => {})
      if (fence.isSuccessor(identity)) leaveServer()
    } catch {}
    if (!isStopped) scoutTimer = setTimeout(scout, scoutMs)
  }
  if (fence.hosts.length > 1) scoutTimer = setTimeout(scout, scoutMs)
  const probe = async () => {
    try {
      await awaitAnswer()
      if (away) log.info('The database is available again')
      away = false
    } catch (error) {
      loseListener()
      reason = reasonOf(error)
      if (!away && !isStopped) {
        log.error({ err: error }, 'The database does not respond')
        away = true
        fence.dropConnections('the database does not respond')
        for (const tell of whenAway) tell()
      }
    }
    void closeAllBut(isStopped ? undefined : listener?.client)
    if (!isStopped) timer = setTimeout(probe, hasAllChannels() ? everyMs : usualTimes.everyMs)
  }
  timer = setTimeout(probe, 0)

  return {
    isAway: () => away,
    isWritable: () => !away && !fence.isStandby(),
    reason: () => reason,
    standby: () =>
      fence.isStandby() ? { behind_ms: Math.ceil(listener?.behindMs ?? 0) } : undefined,
    isCurrent: () => performance.now() < currentUntil,
    whenAway: (tell) => void whenAway.push(tell),
    listen: (channel, onPayload, onGap) => void subscriptions.set(channel, { onPayload, onGap }),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      clearTimeout(scoutTimer)
      await closeAllBut(undefined)
    },
  }
}

/**
 * Which session responds, with how many channels, and how old a standby is by the clocks of the
 * servers. A beat is a commit without a wait: it writes no row.
 */
const heartbeat = {
  name: 'heartbeat',
  text: `
    select pg_is_in_recovery() as is_standby, pg_backend_pid() as pid,
      (select count(*) from pg_listening_channels())::int as channels,
      case when $1::boolean then pg_current_xact_id() end as beat,
      (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8
        as behind_ms`,
}

const lateStandby = (behindMs: number) =>
  new UnusableServerError(
    'The database has no primary at present, and its standby may lack changes of ' +
      `${Number.isFinite(behindMs) ? Math.ceil(behindMs / 1_000) : 'many'} seconds.`,
  )

/** Addresses of servers stay in the log. */
function reasonOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error]
  const unusable = errors.find((one) => one instanceof UnusableServerError)
  return unusable?.message ?? 'The database does not respond.'
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
