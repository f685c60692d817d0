import type pg from 'pg'
import { DatabaseAwayError } from './faults.ts'
import type { DatabaseMonitor } from './monitor.ts'

/** A statement that every connection prepares once: for the few that run thousands of times a second. */
type Prepared<Row> = (values: unknown[]) => Promise<Row[]>

export type Prepare = <Row>(name: string, text: string) => Prepared<Row>

export function preparing(pool: pg.Pool, monitor: DatabaseMonitor): Prepare {
  return <Row>(name: string, text: string) =>
    async (values: unknown[]) => {
      if (monitor.isAway()) throw new DatabaseAwayError()
      const { rows } = await pool.query({ name, text, values })
      return rows as Row[]
    }
}
