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
  const cache = createClockCache<Picture>(cachedAtMost)
  const making = new Map<string, Promise<Picture>>()
  let last: Promise<unknown> = Promise.resolve()

  const begin = (name: string, make: () => Promise<Picture>): Promise<Picture> => {
    const drawing = last
      .then(make)
      .then((picture) => {
        cache.put(name, picture)
        return picture
      })
      .finally(() => making.delete(name))
    making.set(name, drawing)
    last = drawing.catch(() => {})
    return drawing
  }

  /** Undefined under overload. */
  return async function picture(
    name: string,
    make: () => Promise<Picture>,
  ): Promise<Picture | undefined> {
    const knownPicture = cache.get(name)
    if (knownPicture !== undefined) return knownPicture
    const isFull = making.size >= waitingAtMost
    const drawing = making.get(name) ?? (isFull ? undefined : begin(name, make))
    return drawing && withinPatience(drawing, patienceMs)
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
