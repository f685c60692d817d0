import type { Metrics } from '../../metrics/metrics.ts'
import type { DatabaseMonitor } from '../monitor.ts'
import type { Prepare } from '../prepared.ts'
import { createFloors } from './floors.ts'
import { type EitherReader, readEither } from './read-either.ts'
import type { Replica } from './replica.ts'

/** Reads rows by their keys, from the replica if it is recent enough. */
export type KeyedReader = {
  hasReplica: boolean
  /** The first parameter of the statement is the list of keys. */
  prepare<Row>(name: string, text: string, keyOf: (row: Row) => string): EitherReader<Row>
  /** Called for a changed key before it is read again. */
  forget(key: string): void
  clear(): void
  /** The age of the replica state that was read. */
  ageMs(readAt: number): number
}

type Options = {
  prepare: Prepare
  monitor: DatabaseMonitor
  replica?: { database: Replica; metrics: Metrics } | undefined
}

export function createKeyedReader({ prepare, monitor, replica }: Options): KeyedReader {
  const ageMs = (readAt: number) => performance.now() - readAt
  if (!replica) {
    return {
      hasReplica: false,
      prepare: <Row>(name: string, text: string) => {
        const read = prepare<Row>(name, text)
        return async (keys, others) => ({ rows: await read([keys, ...others]) })
      },
      forget: () => {},
      clear: () => {},
      ageMs,
    }
  }
  const { database, metrics } = replica
  const floors = createFloors(database.beats.next)
  return {
    hasReplica: true,
    prepare: <Row>(name: string, text: string, keyOf: (row: Row) => string) =>
      readEither<Row>({
        floors,
        monitor,
        keyOf,
        count: metrics.countLoaded,
        primary: prepare<Row>(name, text),
        replica: { ...database, read: database.prepare<Row>(name, text) },
      }),
    forget: floors.forget,
    clear: floors.clear,
    ageMs,
  }
}
