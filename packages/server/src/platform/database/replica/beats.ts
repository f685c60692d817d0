import { randomUUID } from 'node:crypto'

/**
 * Numbers that this process writes to the primary, one after the other. A copy of the database that
 * shows a number has everything that was committed before the number was sent; no clock but our own
 * is needed to tell how old that copy is at most, and no other database shows our numbers.
 */
export type Beats = {
  processId: string
  /** A beat is being sent now. */
  begin(): number
  /** The first beat that is certain to come after everything that has been committed by now. */
  next(): number
  /** When the beat was sent; nothing if that is too long ago to matter. */
  sentAt(beat: number): number | undefined
}

export function createBeats(rememberedMs: number, clock = () => performance.now()): Beats {
  const sent = new Map<number, number>()
  let last = 0
  return {
    processId: randomUUID(),
    begin() {
      const now = clock()
      for (const [beat, at] of sent) {
        if (now - at <= rememberedMs) break
        sent.delete(beat)
      }
      sent.set(++last, now)
      return last
    },
    next: () => last + 1,
    sentAt: (beat) => sent.get(beat),
  }
}
