/**
 * What a copy of the database must have seen before it may be asked for a key: after a change, the
 * first beat that was sent once the change was known.
 */
export type Floors = {
  /** The key changed. */
  forget(key: string): void
  /** Anything may have changed. */
  clear(): void
  allows(key: string, beat: number): boolean
  /** A copy shows this beat: what it has seen need not be remembered key by key. */
  reached(beat: number): void
}

const keysAtMost = 10_000

export function createFloors(nextBeat: () => number): Floors {
  const ofKeys = new Map<string, number>()
  let ofAll = nextBeat()
  return {
    forget(key) {
      // At the end of the map, which stays in the order of its floors.
      ofKeys.delete(key)
      ofKeys.set(key, nextBeat())
      if (ofKeys.size <= keysAtMost) return
      ofAll = nextBeat()
      ofKeys.clear()
    },
    clear() {
      ofAll = nextBeat()
      ofKeys.clear()
    },
    allows: (key, beat) => beat >= ofAll && beat >= (ofKeys.get(key) ?? 0),
    reached(beat) {
      for (const [key, floor] of ofKeys) {
        if (floor > beat) return
        ofKeys.delete(key)
        // Of several copies behind one address another may not be as far as this one.
        ofAll = Math.max(ofAll, floor)
      }
    },
  }
}
