/**
 * A bounded cache with CLOCK eviction: a full cache evicts entries not used since the last pass.
 * Each use costs one mark.
 */
export type ClockCache<Value> = {
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  remove(key: string): void
  clear(): void
}

/** The limit of all values together, in bytes. A longer value is not cached. */
export type ByteLimit<Value> = { atMost: number; sizeOf: (value: Value) => number }

export function createClockCache<Value>(
  capacity: number,
  bytes?: ByteLimit<Value>,
): ClockCache<Value> {
  const slots = new Map<string, { value: Value; size: number; used: boolean }>()
  let usedBytes = 0

  const remove = (key: string) => {
    usedBytes -= slots.get(key)?.size ?? 0
    slots.delete(key)
  }
  const makeRoom = () => {
    for (const [key, slot] of slots) {
      if (!slot.used) return remove(key)
      slots.delete(key)
      slot.used = false
      slots.set(key, slot)
    }
  }
  return {
    get(key) {
      const slot = slots.get(key)
      if (!slot) return undefined
      slot.used = true
      return slot.value
    },
    put(key, value) {
      remove(key)
      const size = bytes?.sizeOf(value) ?? 0
      const atMost = bytes?.atMost ?? 0
      if (capacity === 0 || size > atMost) return
      while (slots.size >= capacity || usedBytes + size > atMost) makeRoom()
      usedBytes += size
      slots.set(key, { value, size, used: false })
    },
    remove,
    clear() {
      slots.clear()
      usedBytes = 0
    },
  }
}
