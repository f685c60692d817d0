import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { execute, inDatabase } from './global-setup.ts'

export type TestDatabase = { connection: pg.ClientConfig; url: string; drop(): Promise<void> }

/** A database of its own, cloned from the migrated template, or empty. */
export async function testDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  const { connection: server, template } = inject('postgres')
  const name = `emojid_${randomUUID().replaceAll('-', '')}`
  const source = from === 'template' ? template : 'template0'
  // Copied as files: written down in full first, a database takes twice as long.
  await execute(server, `create database ${name} template ${source} strategy file_copy`)
  const connection = inDatabase(server, name)
  return {
    connection,
    url: urlOf(connection),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  }
}

function urlOf({ connectionString, host, user, database }: pg.ClientConfig): string {
  return (
    connectionString ??
    `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  )
}
