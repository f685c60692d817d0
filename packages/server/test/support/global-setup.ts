import { randomUUID } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { memoryFolder, newRunFolder } from '../../../../scripts/run-folder.mjs'
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/server.ts'
import { migrateAll } from '../../src/platform/database/open.ts'
import { createLog } from '../../src/platform/log/log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection that may create databases, and the migrated template. */
    postgres: { connection: pg.ClientConfig; template: string }
  }
}

const log = createLog('warn')

/** One PostgreSQL for the whole run: our own, or the server at TEST_DATABASE_URL. */
export default async function setup(project: TestProject) {
  // Runs for every test project and shares one set-up.
  if (!project.isRootProject()) return undefined
  const server = await locate()
  const { connection } = server
  const template = `emojid_template_${randomUUID().replaceAll('-', '')}`
  await execute(connection, `create database ${template}`)
  const patientConnection = { ...inDatabase(connection, template), connectionTimeoutMillis: 60_000 }
  await migrateAll(patientConnection, log)
  // Drawing takes seconds: a test that needs the demonstration's picture removes this mark.
  await execute(
    inDatabase(connection, template),
    `insert into demo_seeds values ('demonstration'), ('token picture')`,
  )
  project.provide('postgres', { connection, template })

  return async () => {
    for (const name of [template, seededName(template)])
      await execute(connection, `drop database if exists ${name} with (force)`)
    await server.stop()
  }
}

async function locate() {
  const url = process.env['TEST_DATABASE_URL']
  if (url) return { connection: { connectionString: url }, stop: async () => {} }
  const dataDir = newRunFolder(await dataFolder())
  // The data is temporary, and its databases are too short-lived to be vacuumed.
  const settings = [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'autovacuum=off',
    'max_connections=500',
  ]
  const server = await startEmbeddedPostgres({ dataDir, log, settings })
  return {
    connection: server.connection,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** The template with the demonstration, created by the first test that needs it. */
export const seededName = (template: string): string => `${template}_seeded`

const neededBytes = 4 * 1024 ** 3

/**
 * In memory if there is room: each test database is a copy of the template, which is faster there.
 */
async function dataFolder(): Promise<string> {
  const space = await statfs(memoryFolder).catch(() => undefined)
  return space && space.bavail * space.bsize > neededBytes ? memoryFolder : tmpdir()
}

export function inDatabase(connection: pg.ClientConfig, name: string): pg.ClientConfig {
  if (!connection.connectionString) return { ...connection, database: name }
  const url = new URL(connection.connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

export async function execute(connection: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
