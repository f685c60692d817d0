import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A connection that may create databases, and the migrated database to clone. */
    postgres: {
      connection: pg.ClientConfig
      template: string
    }
  }
}
/** One PostgreSQL for the whole run: our own, or the server at TEST_DATABASE_URL. */
export default function setup({ provide }: TestProject): Promise<() => Promise<void>>
export declare function inDatabase(connection: pg.ClientConfig, name: string): pg.ClientConfig
export declare function execute(connection: pg.ClientConfig, sql: string): Promise<void>
