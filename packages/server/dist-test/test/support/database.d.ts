import type pg from 'pg'
export type TestDatabase = {
  connection: pg.ClientConfig
  url: string
  drop(): Promise<void>
}
/** A database of its own, cloned from the migrated template, or empty. */
export declare function testDatabase(from?: 'template' | 'empty'): Promise<TestDatabase>
