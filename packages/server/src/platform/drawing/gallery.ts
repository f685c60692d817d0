import { createClockCache } from '../cache/clock-cache.ts'

type Options = {
  cachedAtMost: number
  /** The maximum of waiting requests; further ones get undefined. */
  waitingAtMost: number
  /**
   * The longest wait; then the request gets undefined, and the picture is drawn for the next one.
   */
  patienceMs: number
}

/**
 * Draws pictures on demand, one at a time, and caches them. Concurrent requests for one picture
 * share the work; a bounded queue limits the load.
 */
export function createGallery<Picture>({ cachedAtMost, waitingAtMost, patienceMs }: Options) {
  const kept = createClockCache<Picture>(cachedAtMost)
  const making = new Map<string, Promise<Picture>>()
  let last: Promise<unknown> = Promise.resolve()

  const begin = (name: string, make: () => Promise<Picture>): Promise<Picture> => {
    const made = last
      .then(make)
      .then((picture) => {
        kept.put(name, picture)
        return picture
      })
      .finally(() => making.delete(name))
    making.set(name, made)
    last = made.catch(() => {})
    return made
  }

  /** Undefined under overload. */
  return async function picture(
    name: string,
    make: () => Promise<Picture>,
  ): Promise<Picture | undefined> {
    const known = kept.get(name)
    if (known !== undefined) return known
    const isFull = making.size >= waitingAtMost
    const made = making.get(name) ?? (isFull ? undefined : begin(name, make))
    return made && withinPatience(made, patienceMs)
  }
}

async function withinPatience<Value>(
  promise: Promise<Value>,
  ms: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
    // Handled by the waiting request; without one, the rejection must not be unhandled.
    promise.catch(() => {})
  }
}
