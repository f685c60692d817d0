import type pg from 'pg'
import { connectUnlessAway } from './database.ts'
import type { DatabaseMonitor } from './monitor.ts'

/**
 * A statement that every connection prepares once: for the few that run thousands of times a
 * second.
 */
type PreparedQuery<Row> = (values: unknown[]) => Promise<Row[]>

export type Prepare = <Row>(name: string, text: string) => PreparedQuery<Row>

export function createPrepare(pool: pg.Pool, monitor: DatabaseMonitor): Prepare {
  const connect = connectUnlessAway(pool, monitor)
  return <Row>(name: string, text: string) =>
    async (values: unknown[]) => {
      const client = await connect()
      try {
        const { rows } = await client.query({ name, text, values })
        client.release()
        return rows as Row[]
      } catch (error) {
        // The pool closes the connection: after a time-out its response may still arrive.
        client.release(error as Error)
        throw error
      }
    }
}
