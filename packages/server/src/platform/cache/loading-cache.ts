import { type ByteLimit, createClockCache } from './clock-cache.ts'

type Options<Value> = {
  /** Loads many keys; keys without a value are absent from the result. */
  load: (keys: string[]) => Promise<Map<string, Value | LoadFailure>>
  /** The value for an absent key. */
  missing: (key: string) => Value
  /** The number of cached values; 0 turns the cache off. */
  capacity: number
  bytes?: ByteLimit<Value>
  /** True if cached values are current. */
  isCurrent: () => boolean
}

/** One key failed to load, while others of the same load succeeded. */
export class LoadFailure {
  readonly error: unknown
  constructor(error: unknown) {
    this.error = error
  }
}

export type LoadingCache<Value> = {
  /** A cached value that is current. */
  peek(key: string): Value | undefined
  get(key: string): Promise<Value>
  getMany(keys: readonly string[]): Promise<Value[]>
  forget(key: string): void
  clear(): void
}

type PendingLoad<Value> = {
  promise: Promise<Value>
  settle: (value: Value) => void
  fail: (error: unknown) => void
}

const loadsAtOnce = 3
/** Small enough that a large read is split among concurrent loads. */
const keysPerLoad = 300

/**
 * Caches values until they are invalidated. Concurrent misses become one load, and a read of a key
 * that is being loaded joins that load. After an invalidation, a load that began before it still
 * answers its waiting readers, but is neither cached nor joined.
 */
export function createLoadingCache<Value>(options: Options<Value>): LoadingCache<Value> {
  const { load, missing, capacity, bytes, isCurrent } = options
  const cache = createClockCache<Value>(capacity, bytes)
  // A separate cache, so that reads of absent keys evict no existing ones.
  const absent = createClockCache<Value>(Math.ceil(capacity / 10))
  const loading = new Map<string, PendingLoad<Value>>()
  const queue = new Map<string, PendingLoad<Value>>()
  let runningCount = 0
  let isScheduled = false

  const peek = (key: string) => (isCurrent() ? (cache.get(key) ?? absent.get(key)) : undefined)

  const flush = async () => {
    isScheduled = false
    while (runningCount < loadsAtOnce && queue.size > 0) void run()
  }
  const fail = (key: string, pendingLoad: PendingLoad<Value>, error: unknown) => {
    if (loading.get(key) === pendingLoad) loading.delete(key)
    pendingLoad.fail(error)
  }
  const run = async () => {
    const batch = [...queue].slice(0, keysPerLoad)
    for (const [key] of batch) queue.delete(key)
    runningCount++
    try {
      const values = await load(batch.map(([key]) => key))
      for (const [key, pendingLoad] of batch) {
        const present = values.get(key)
        if (present instanceof LoadFailure) {
          fail(key, pendingLoad, present.error)
          continue
        }
        const value = present ?? missing(key)
        if (loading.get(key) === pendingLoad) {
          loading.delete(key)
          if (present === undefined) absent.put(key, value)
          else cache.put(key, value)
        }
        pendingLoad.settle(value)
      }
    } catch (error) {
      for (const [key, pendingLoad] of batch) fail(key, pendingLoad, error)
    } finally {
      runningCount--
      if (queue.size > 0) void flush()
    }
  }

  const get = (key: string): Promise<Value> => {
    const value = peek(key)
    if (value !== undefined) return Promise.resolve(value)
    const under = loading.get(key)
    // A load from before the loss of currency may be stale.
    if (under && (isCurrent() || queue.has(key))) return under.promise
    const fresh = createPendingLoad<Value>()
    loading.set(key, fresh)
    queue.set(key, fresh)
    if (!isScheduled) {
      isScheduled = true
      setImmediate(flush)
    }
    return fresh.promise
  }

  return {
    peek,
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    forget(key) {
      cache.remove(key)
      absent.remove(key)
      // A queued load has read nothing yet: it will see the change.
      if (!queue.has(key)) loading.delete(key)
    },
    clear() {
      cache.clear()
      absent.clear()
      for (const key of loading.keys()) if (!queue.has(key)) loading.delete(key)
    },
  }
}

function createPendingLoad<Value>(): PendingLoad<Value> {
  let settle: (value: Value) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  return { promise, settle, fail }
}
