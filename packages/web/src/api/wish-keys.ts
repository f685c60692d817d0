import { asProblem } from './problem.ts'

export type Once = <Done>(wish: unknown, send: (key: string) => Promise<Done>) => Promise<Done>

/** What says that the same wish is, or may be, carried out already. */
const underWay = ['in_flight', 'already_done']

/**
 * Sends each wish with a key of its own, so that it is carried out once however often it is sent. What
 * was refused is over: who wishes it again gets another key.
 */
export function wishKeys(): Once {
  const keys = new Map<string, string>()
  return async (wish, send) => {
    const name = JSON.stringify(wish)
    const key = keys.get(name) ?? crypto.randomUUID()
    keys.set(name, key)
    try {
      return await send(key)
    } catch (thrown) {
      const { status, code } = asProblem(thrown)
      const isRefused = status >= 400 && status < 500 && !underWay.includes(code)
      if (isRefused) keys.delete(name)
      throw thrown
    }
  }
}

/** A request that is repeated with the same key is carried out once. */
export const once = (key: string) => ({ headers: { 'Idempotency-Key': key } })
