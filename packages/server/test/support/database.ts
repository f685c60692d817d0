import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { inDatabase, seededName } from './global-setup.ts'

export type TestDatabase = { connection: pg.ClientConfig; url: string; drop(): Promise<void> }

/** A separate database: a copy of the migrated template, or empty. */
export async function testDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  return copyOf(from === 'template' ? inject('postgres').template : 'template0')
}

/**
 * A database with the demonstration of `seed`. The first worker that needs it creates the template.
 */
export async function seededDatabase(seed: Seed): Promise<TestDatabase> {
  seeded ??= makeSeeded(seed)
  return copyOf(await seeded)
}

type Seed = (databaseUrl: string) => Promise<void>
let seeded: Promise<string> | undefined

async function makeSeeded(seed: Seed): Promise<string> {
  const { connection, template } = inject('postgres')
  const name = seededName(template)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock(1)')
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const draft = await copyOf(template)
      await seed(draft.url)
      await client.query(`alter database ${draft.name} rename to ${name}`)
    }
    return name
  } finally {
    await client.end()
  }
}

async function copyOf(source: string): Promise<TestDatabase & { name: string }> {
  const { connection: server } = inject('postgres')
  const name = `emojid_${randomUUID().replaceAll('-', '')}`
  // Copies files: a copy through the write-ahead log takes twice as long.
  await onServer(`create database ${name} template ${source} strategy file_copy`)
  const connection = inDatabase(server, name)
  return {
    name,
    connection,
    url: urlOf(connection),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  }
}

/** Keeps its connections: opening one costs as much as a dozen statements. */
let serverPool: pg.Pool | undefined

async function onServer(statement: string): Promise<void> {
  serverPool ??= new pg.Pool({
    ...inject('postgres').connection,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  }).on('error', () => {})
  await serverPool.query(statement)
}

function urlOf({ connectionString, host, user, database }: pg.ClientConfig): string {
  return (
    connectionString ??
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  )
}
