import type { DatabaseMonitor } from '../monitor.ts'
import type { Floors } from './floors.ts'
import type { Replica, Sight } from './replica.ts'

/**
 * A row by its key; `read_at` is the time of the replica's state, absent for rows of the primary.
 */
type TimedRow<Row> = Row & { read_at?: number }

/** The rows of these keys; and the unanswered keys if the primary was needed and unavailable. */
export type EitherReader<Row> = (keys: string[], others: unknown[]) => Promise<RowsAnswer<Row>>

type RowsAnswer<Row> = { rows: TimedRow<Row>[]; unanswered?: { keys: string[]; error: unknown } }

type Options<Row> = {
  primary: (values: unknown[]) => Promise<Row[]>
  replica: Pick<Replica, 'isInUse' | 'shown'> & {
    read: (values: unknown[]) => Promise<Sight<Row> | undefined>
  }
  floors: Floors
  monitor: Pick<DatabaseMonitor, 'isCurrent' | 'isAway'>
  keyOf: (row: Row) => string
  count: (source: 'primary' | 'replica', keys: number) => void
}

type ReadRows<Row> = { rows: TimedRow<Row>[]; left: string[] }

/**
 * Reads from the replica the keys whose last change it has seen, and all other keys from the
 * primary. While notifications may be lost, the primary is queried first, and the replica only if
 * the primary fails: then nothing is older than promised, and changed keys stay unanswered.
 */
export function readEither<Row>(options: Options<Row>): EitherReader<Row> {
  const { primary, replica, floors, monitor, keyOf, count } = options

  const askReplica = async (keys: string[], others: unknown[]): Promise<ReadRows<Row>> => {
    const allowedKeys = keys.filter((key) => floors.allows(key, replica.shown()))
    const sight = allowedKeys.length > 0 ? await replica.read([allowedKeys, ...others]) : undefined
    if (!sight) return { rows: [], left: keys }
    // Judged by the current floors: a change may have arrived meanwhile.
    const freshKeys = new Set(allowedKeys.filter((key) => floors.allows(key, sight.beat)))
    floors.reached(sight.beat)
    count('replica', freshKeys.size)
    return {
      rows: sight.rows
        .filter((row) => freshKeys.has(keyOf(row)))
        .map((row) => ({ ...row, read_at: sight.sentAt })),
      left: keys.filter((key) => !freshKeys.has(key)),
    }
  }
  const askPrimary = async (keys: string[], others: unknown[]) => {
    if (keys.length === 0) return []
    const rows = await primary([keys, ...others])
    count('primary', keys.length)
    return rows as TimedRow<Row>[]
  }

  return async (keys, others) => {
    const isFirst = replica.isInUse() && (monitor.isCurrent() || monitor.isAway())
    const first: ReadRows<Row> = isFirst ? await askReplica(keys, others) : { rows: [], left: keys }
    try {
      return { rows: [...first.rows, ...(await askPrimary(first.left, others))] }
    } catch (error) {
      const second = !isFirst && replica.isInUse() ? await askReplica(first.left, others) : first
      if (second.left.length === keys.length) throw error
      return { rows: second.rows, unanswered: { keys: second.left, error } }
    }
  }
}
