import { createShelf } from './shelf.ts'

type Options<Value> = {
  /** Loads many at once; keys without a value are absent from the answer. */
  load: (keys: string[]) => Promise<Map<string, Value | Unanswered>>
  /** What stands for a key that has no value. */
  missing: (key: string) => Value
  /** How many values are kept; 0 keeps none. */
  capacity: number
  /** Whether kept values may be trusted right now. */
  isCurrent: () => boolean
}

/** One key could not be loaded, while others of the same load could. */
export class Unanswered {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

export type LoadingCache<Value> = {
  /** A kept value that may be used right now. */
  peek(key: string): Value | undefined
  get(key: string): Promise<Value>
  getMany(keys: readonly string[]): Promise<Value[]>
  forget(key: string): void
  clear(): void
}

type Loading<Value> = {
  promise: Promise<Value>
  settle: (value: Value) => void
  fail: (error: unknown) => void
}

const loadsAtOnce = 3
/** Few enough that a large question is shared among the loads under way. */
const keysPerLoad = 300

/**
 * Keeps what was loaded until somebody says that it changed. Misses of the same moment become one
 * load, and whoever asks for a key that is being loaded waits for that load, except after a change:
 * a load that began before the change is finished for those who wait, but never kept or joined.
 */
export function createLoadingCache<Value>(options: Options<Value>): LoadingCache<Value> {
  const { load, missing, capacity, isCurrent } = options
  const kept = createShelf<Value>(capacity)
  // Apart, so that asking for what does not exist pushes nothing out that does.
  const absent = createShelf<Value>(Math.ceil(capacity / 10))
  const loading = new Map<string, Loading<Value>>()
  const queue = new Map<string, Loading<Value>>()
  let running = 0
  let scheduled = false

  const peek = (key: string) => (isCurrent() ? (kept.get(key) ?? absent.get(key)) : undefined)

  const flush = async () => {
    scheduled = false
    while (running < loadsAtOnce && queue.size > 0) void run()
  }
  const fail = (key: string, waiting: Loading<Value>, error: unknown) => {
    if (loading.get(key) === waiting) loading.delete(key)
    waiting.fail(error)
  }
  const run = async () => {
    const batch = [...queue].slice(0, keysPerLoad)
    for (const [key] of batch) queue.delete(key)
    running++
    try {
      const found = await load(batch.map(([key]) => key))
      for (const [key, waiting] of batch) {
        const present = found.get(key)
        if (present instanceof Unanswered) {
          fail(key, waiting, present.error)
          continue
        }
        const value = present ?? missing(key)
        if (loading.get(key) === waiting) {
          loading.delete(key)
          if (present === undefined) absent.put(key, value)
          else kept.put(key, value)
        }
        waiting.settle(value)
      }
    } catch (error) {
      for (const [key, waiting] of batch) fail(key, waiting, error)
    } finally {
      running--
      if (queue.size > 0) void flush()
    }
  }

  const get = (key: string): Promise<Value> => {
    const value = peek(key)
    if (value !== undefined) return Promise.resolve(value)
    const under = loading.get(key)
    // What was asked of the database before the trust was lost may be old by now.
    if (under && (isCurrent() || queue.has(key))) return under.promise
    const fresh = promised<Value>()
    loading.set(key, fresh)
    queue.set(key, fresh)
    if (!scheduled) {
      scheduled = true
      setImmediate(flush)
    }
    return fresh.promise
  }

  return {
    peek,
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    forget(key) {
      kept.remove(key)
      absent.remove(key)
      // A load still in the queue has not read anything yet: it will see the change.
      if (!queue.has(key)) loading.delete(key)
    },
    clear() {
      kept.clear()
      absent.clear()
      for (const key of loading.keys()) if (!queue.has(key)) loading.delete(key)
    },
  }
}

function promised<Value>(): Loading<Value> {
  let settle: (value: Value) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  return { promise, settle, fail }
}
