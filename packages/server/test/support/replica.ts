import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/server.ts'
import { createLog } from '../../src/platform/log/log.ts'

const log = createLog('silent')
const quick = ['fsync=off', 'full_page_writes=off']

export type StreamingPair = Awaited<ReturnType<typeof streamingPair>>

/** Our own PostgreSQL twice: a primary, and a streaming replica made from a copy of its folder. */
export async function streamingPair() {
  const folder = await mkdtemp(join(tmpdir(), 'emojid-pair-'))
  const [first, second] = [join(folder, 'primary'), join(folder, 'replica')]
  await (await startEmbeddedPostgres({ dataDir: first, log, settings: quick })).stop()
  const { status } = spawnSync('cp', ['-a', first, second])
  if (status !== 0) throw new Error('The folder of the primary could not be copied')
  await writeFile(join(second, 'postgres', 'cluster', 'standby.signal'), '')
  const primary = await startEmbeddedPostgres({ dataDir: first, log, settings: quick })
  const { host, user } = primary.connection
  const replica = await startEmbeddedPostgres({
    dataDir: second,
    log,
    settings: [...quick, `primary_conninfo=host=${host} user=${user}`],
  })
  const ask = async (statement: string) => {
    const client = new pg.Client(replica.connection)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  return {
    primary: { connection: primary.connection, url: urlOf(primary.connection) },
    replica: { connection: replica.connection, url: urlOf(replica.connection) },
    pause: () => ask('select pg_wal_replay_pause()'),
    resume: () => ask('select pg_wal_replay_resume()'),
    promote: () => ask('select pg_promote()'),
    async stop() {
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const urlOf = ({ host, user, database }: pg.ClientConfig) =>
  `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
