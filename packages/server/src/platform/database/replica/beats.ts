import { randomUUID } from 'node:crypto'
import type { ColumnType } from 'kysely'

/** The last beat of a process that reads from a replica. */
export type ReplicaBeatsTable = {
  process_id: string
  beat: number
  beaten_at: ColumnType<Date, never, never>
}

/**
 * Sequence numbers that this process writes to the primary. A replica that shows a number has
 * everything committed before the number was sent. The age of the replica follows from our own
 * clock alone, and no other database shows our numbers.
 */
export type Beats = {
  processId: string
  /** Starts to send a beat. */
  begin(): number
  /** The first beat that is certain to follow everything committed so far. */
  next(): number
  /** The time at which the beat was sent; undefined if that is too long ago. */
  sentAt(beat: number): number | undefined
}

export function createBeats(rememberedMs: number, clock = () => performance.now()): Beats {
  const beatTimes = new Map<number, number>()
  let last = 0
  return {
    processId: randomUUID(),
    begin() {
      const now = clock()
      for (const [beat, at] of beatTimes) {
        if (now - at <= rememberedMs) break
        beatTimes.delete(beat)
      }
      beatTimes.set(++last, now)
      return last
    },
    next: () => last + 1,
    sentAt: (beat) => beatTimes.get(beat),
  }
}
