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

export function createClockCache<Value>(capacity: number): ClockCache<Value> {
  const slots = new Map<string, { value: Value; used: boolean }>()

  const makeRoom = () => {
    for (const [key, slot] of slots) {
      slots.delete(key)
      if (!slot.used) return
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
      if (capacity === 0) return
      if (slots.size >= capacity && !slots.has(key)) makeRoom()
      slots.set(key, { value, used: false })
    },
    remove: (key) => void slots.delete(key),
    clear: () => slots.clear(),
  }
}
