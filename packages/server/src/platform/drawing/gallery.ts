import { createShelf } from '../cache/shelf.ts'

type Options = {
  keptAtMost: number
  /** Who comes when so many wait already gets nothing. */
  waitingAtMost: number
  /** Who waited so long gets nothing either; the picture is made all the same, for the next one. */
  patienceMs: number
}

/**
 * Pictures that are made when somebody asks for them, one at a time, and kept for a while. Whoever
 * asks for one that is being made waits for that; nobody makes us work on more than we can.
 */
export function createGallery<Picture>({ keptAtMost, waitingAtMost, patienceMs }: Options) {
  const kept = createShelf<Picture>(keptAtMost)
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

  /** Nothing when too much is asked of us right now. */
  return async function picture(
    name: string,
    make: () => Promise<Picture>,
  ): Promise<Picture | undefined> {
    const known = kept.get(name)
    if (known !== undefined) return known
    const isFull = making.size >= waitingAtMost
    const made = making.get(name) ?? (isFull ? undefined : begin(name, make))
    return made && orNothing(made, patienceMs)
  }
}

async function orNothing<Value>(promise: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    clearTimeout(timer)
    // Told to who still waits; nobody else is surprised by it.
    promise.catch(() => {})
  }
}
