import type { DatabaseMonitor } from '../monitor.ts'
import type { Floors } from './floors.ts'
import type { Replica, Sight } from './replica.ts'

/** A row by its key; `read_at` is the moment that the replica stood at, absent for the primary's. */
type Sighted<Row> = Row & { read_at?: number }

/** Rows of these keys; where the primary was needed and away, the keys that nobody could answer. */
export type Either<Row> = (keys: string[], others: unknown[]) => Promise<Answered<Row>>

type Answered<Row> = { rows: Sighted<Row>[]; unanswered?: { keys: string[]; error: unknown } }

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

type Found<Row> = { rows: Sighted<Row>[]; left: string[] }

/**
 * Reads from the replica what it is known to have seen the last change of, and everything else from
 * the primary. While changes may go unheard the primary is asked first, and the replica only if the
 * primary does not answer: then nothing is older than promised, and what changed is not answered.
 */
export function readEither<Row>(options: Options<Row>): Either<Row> {
  const { primary, replica, floors, monitor, keyOf, count } = options

  const askReplica = async (keys: string[], others: unknown[]): Promise<Found<Row>> => {
    const asked = keys.filter((key) => floors.allows(key, replica.shown()))
    const sight = asked.length > 0 ? await replica.read([asked, ...others]) : undefined
    if (!sight) return { rows: [], left: keys }
    // Judged by what is known now: a change may have been heard of meanwhile.
    const known = new Set(asked.filter((key) => floors.allows(key, sight.beat)))
    floors.reached(sight.beat)
    count('replica', known.size)
    return {
      rows: sight.rows
        .filter((row) => known.has(keyOf(row)))
        .map((row) => ({ ...row, read_at: sight.sentAt })),
      left: keys.filter((key) => !known.has(key)),
    }
  }
  const askPrimary = async (keys: string[], others: unknown[]) => {
    if (keys.length === 0) return []
    const rows = await primary([keys, ...others])
    count('primary', keys.length)
    return rows as Sighted<Row>[]
  }

  return async (keys, others) => {
    const isFirst = replica.isInUse() && (monitor.isCurrent() || monitor.isAway())
    const first: Found<Row> = isFirst ? await askReplica(keys, others) : { rows: [], left: keys }
    try {
      return { rows: [...first.rows, ...(await askPrimary(first.left, others))] }
    } catch (error) {
      const second = !isFirst && replica.isInUse() ? await askReplica(first.left, others) : first
      if (second.left.length === keys.length) throw error
      return { rows: second.rows, unanswered: { keys: second.left, error } }
    }
  }
}
