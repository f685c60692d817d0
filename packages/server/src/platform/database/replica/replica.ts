import type pg from 'pg'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { breakConnection, type Fence } from '../fence.ts'
import type { Hosts } from '../hosts.ts'
import { createPool } from '../pool.ts'
import { type Beats, createBeats } from './beats.ts'
import { startPulse } from './pulse.ts'

/** Rows of one snapshot of the replica, and its last beat in that snapshot. */
export type Sight<Row> = { rows: Row[]; beat: number; sentAt: number }

type ReplicaState = {
  state: 'in use' | 'behind' | 'away' | 'not a replica' | 'not a replica of this database'
  /** The maximum age of its state; null while unknown. */
  behind_ms: number | null
}

export type Replica = {
  beats: Beats
  isInUse(): boolean
  /** The last beat that it has shown. */
  shown(): number
  /** A statement that returns undefined rather than rows older than promised. */
  prepare<Row>(name: string, text: string): (values: unknown[]) => Promise<Sight<Row> | undefined>
  state(): ReplicaState
  stop(): Promise<void>
}

type Options = {
  primary: Fence
  replicas: Hosts
  /** The maximum replication lag. */
  maxBehindMs: number
  log: Log
  metrics: Metrics
}

type ReplicaColumns = { beat: number | null; is_standby: boolean }

const everyMs = 250
/** Leaves the primary enough time to answer the lookup. */
const patienceMs = 400
/** The pause after a failure; then the monitor polls it before any reader. */
const restMs = 1_000
const poolSize = 4

/** Monitors a streaming replica: its lag, and whether it may be read. */
export function openReplica(options: Options): Replica {
  const { primary, replicas, maxBehindMs, log, metrics } = options
  const beats = createBeats(10 * maxBehindMs)
  const pulse = startPulse(primary, beats)
  /** Which of the replicas is used; the next one if it cannot be. */
  let turn = 0
  let turnedAt = performance.now()
  const pool = createPool({
    connection: { host: () => replicas[turn % replicas.length] ?? replicas[0] },
    size: poolSize,
    log,
    name: 'replica',
    limitMs: patienceMs,
    settings: 'enable_seqscan=off',
  })
  metrics.watchPool('replica', pool)
  const clients = new Set<pg.PoolClient>()
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  /** The last response; undefined while it does not respond. */
  let last: ReplicaColumns | undefined
  let restsUntil = 0
  let lastState: ReplicaState['state'] | undefined
  let isStopped = false
  let timer: NodeJS.Timeout

  const failed = (error: unknown) => {
    last = undefined
    restsUntil = performance.now() + restMs
    log.debug({ err: error }, 'The replica did not respond')
  }
  const state = (): ReplicaState => {
    if (!last) return { state: 'away', behind_ms: null }
    if (!last.is_standby) return { state: 'not a replica', behind_ms: null }
    if (last.beat === null) return { state: 'not a replica of this database', behind_ms: null }
    const sentAt = beats.sentAt(last.beat)
    const behind_ms = sentAt === undefined ? null : Math.ceil(performance.now() - sentAt)
    const isBehind = behind_ms === null || behind_ms > maxBehindMs
    return { state: isBehind ? 'behind' : 'in use', behind_ms }
  }
  const tell = () => {
    const now = state()
    if (now.state === lastState) return
    if (now.state === 'in use') log.info('Lookups use the replica')
    else log.warn(now, 'The replica cannot be used; lookups use the primary')
    lastState = now.state
  }
  const tryNext = () => {
    const now = performance.now()
    if (replicas.length === 1 || state().state === 'in use' || now < turnedAt + restMs) return
    turn++
    turnedAt = now
    restsUntil = 0
    for (const client of clients) breakConnection(client, 'another replica is tried')
  }
  const watch = async () => {
    if (performance.now() >= restsUntil) {
      try {
        const { rows } = await pool.query<ReplicaColumns>(`select ${shownBy(beats.processId)}`)
        last = rows[0]
      } catch (error) {
        failed(error)
      }
    }
    if (isStopped) return
    tell()
    tryNext()
    timer = setTimeout(watch, everyMs)
  }
  timer = setTimeout(watch, 0)
  metrics.watchReplica(state)

  return {
    beats,
    isInUse: () => state().state === 'in use',
    shown: () => last?.beat ?? 0,
    state,
    prepare: <Row>(name: string, text: string) => {
      const whole = withBeat(text, beats.processId)
      return async (values: unknown[]) => {
        try {
          const { rows } = await pool.query({ name, text: whole, values })
          const { beat, is_standby } = rows[0] as ReplicaColumns
          const sentAt = beat === null || !is_standby ? undefined : beats.sentAt(beat)
          if (beat === null || sentAt === undefined) return undefined
          if (performance.now() - sentAt > maxBehindMs) return undefined
          return { rows: rows.flatMap(ownColumns<Row>), beat, sentAt }
        } catch (error) {
          failed(error)
          return undefined
        }
      }
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await pulse.stop()
      await pool.end()
    },
  }
}

/** A promoted server diverges from then on, with our last beats in it. */
const shownBy = (processId: string) =>
  `(select beat from replica_beats where process_id = '${processId}') as beat,
   pg_is_in_recovery() as is_standby`

/** Beat and rows in one statement, hence one snapshot; one row even without a match. */
const withBeat = (text: string, processId: string) =>
  `select * from (select ${shownBy(processId)}) as shown
   left join lateral (select true as found, asked.* from (${text}) as asked) as those on true`

type MarkedRow = ReplicaColumns & { found: true | null }

const ownColumns = <Row>({ beat: _, is_standby: __, found: isFound, ...row }: MarkedRow): Row[] =>
  isFound ? [row as Row] : []
