import pg from 'pg'
import type { Fence } from '../fence.ts'
import type { Beats } from './beats.ts'

const everyMs = 250
const patienceMs = 1_000

/**
 * Writes beats to the primary until it is stopped; while it cannot, the replica counts as aging.
 */
export function startPulse(fence: Fence, beats: Beats) {
  let client: pg.Client | undefined
  let isStopped = false
  let timer: NodeJS.Timeout

  const open = async () => {
    const fresh = new pg.Client({
      ...fence.host(),
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      statement_timeout: patienceMs,
      application_name: `emojid-pulse-${process.pid}`,
      // Waiting for a synchronous replica would stop the beats with that replica.
      options: '-c synchronous_commit=local',
    })
    fresh.on('error', () => {})
    fresh.on('end', () => {
      if (client === fresh) client = undefined
    })
    await fresh.connect()
    client = fresh
    // A beat on a former primary would make its replicas look current.
    await fence.admit(fresh)
    await fresh.query(forgetTheDead)
    return fresh
  }
  const beat = async () => {
    try {
      client ??= await open()
      await client.query(writeBeat, [beats.processId, beats.begin()])
    } catch {
      const brokenClient = client
      client = undefined
      void brokenClient?.end().catch(() => {})
    }
    if (!isStopped) timer = setTimeout(beat, everyMs)
  }
  timer = setTimeout(beat, 0)

  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await client?.query(endBeats, [beats.processId]).catch(() => {})
      await client?.end().catch(() => {})
    },
  }
}

const writeBeat = `
  insert into replica_beats (process_id, beat) values ($1, $2)
  on conflict (process_id) do update set beat = excluded.beat, beaten_at = now()
  where replica_beats.beat < excluded.beat`
const endBeats = 'delete from replica_beats where process_id = $1'
const forgetTheDead = `delete from replica_beats where beaten_at < now() - interval '1 day'`
