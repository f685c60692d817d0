import { createClockCache } from '../cache/clock-cache.ts'
import { createFairQueue } from '../fair-queue.ts'
import { wideNetworkOf } from '../http/network.ts'

type Options = {
  cachedAtMost: number
  /** The most pictures that wait for one network, and for all; further requests get undefined. */
  waitingAtMost: { each: number; all: number }
  /**
   * The longest wait; then the request gets undefined, and the picture is drawn for the next one.
   */
  patienceMs: number
}

/**
 * Draws pictures on demand, one at a time, and caches them. Concurrent requests of a network for one
 * picture share the work; networks take turns, in a bounded queue.
 */
export function createGallery<Picture>({ cachedAtMost, waitingAtMost, patienceMs }: Options) {
  const cache = createClockCache<Picture>(cachedAtMost)
  const drawings = new Map<string, Promise<Picture | undefined>>()
  const overload = new Error('Too many pictures wait to be drawn')
  const queue = createFairQueue({ ...waitingAtMost, refusal: () => overload })

  const begin = (name: string, network: string, key: string, make: () => Promise<Picture>) => {
    const drawing = queue
      // Another network may have wanted it, too.
      .run({ group: wideNetworkOf(network), name: network }, async () => cache.get(name) ?? make())
      .then((picture) => {
        cache.put(name, picture)
        return picture
      })
      .catch((error) => {
        if (error === overload) return undefined
        throw error
      })
      .finally(() => drawings.delete(key))
    drawings.set(key, drawing)
    return drawing
  }

  /** Undefined under overload. */
  return async function picture(
    name: string,
    network: string,
    make: () => Promise<Picture>,
  ): Promise<Picture | undefined> {
    const knownPicture = cache.get(name)
    if (knownPicture !== undefined) return knownPicture
    const key = `${network} ${name}`
    return withinPatience(drawings.get(key) ?? begin(name, network, key, make), patienceMs)
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
