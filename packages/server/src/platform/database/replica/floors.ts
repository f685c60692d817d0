/**
 * The beat that a replica must have seen before it may be read for a key: the first one sent after
 * the key's change was known.
 */
export type Floors = {
  /** Called when the key changed. */
  forget(key: string): void
  /** Called when anything may have changed. */
  clear(): void
  allows(key: string, beat: number): boolean
  /** Called when a replica shows this beat: floors per key below it are dropped. */
  reached(beat: number): void
}

const keysAtMost = 10_000

export function createFloors(nextBeat: () => number): Floors {
  const ofKeys = new Map<string, number>()
  let ofAll = nextBeat()
  return {
    forget(key) {
      // Reinserted at the end: the map stays in the order of its floors.
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
        // Another replica behind the same address may lag behind this one.
        ofAll = Math.max(ofAll, floor)
      }
    },
  }
}
