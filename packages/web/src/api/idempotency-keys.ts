import { asProblem } from './problem.ts'

export type IdempotentCall = <Done>(
  wish: unknown,
  send: (key: string) => Promise<Done>,
) => Promise<Done>

/** Error codes of a request that is running or done under the same idempotency key. */
const underWay = ['in_flight', 'already_done']

/**
 * Sends each action with its own idempotency key, so that retries run once. A rejected action gets a
 * new key on the next try.
 */
export function idempotencyKeys(): IdempotentCall {
  const keys = new Map<string, string>()
  return async (wish, send) => {
    const name = JSON.stringify(wish)
    const key = keys.get(name) ?? crypto.randomUUID()
    keys.set(name, key)
    try {
      return await send(key)
    } catch (error) {
      const { status, code } = asProblem(error)
      const isRefused = status >= 400 && status < 500 && !underWay.includes(code)
      if (isRefused) keys.delete(name)
      throw error
    }
  }
}

/** The header that makes a request idempotent. */
export const idempotencyHeader = (key: string) => ({ headers: { 'Idempotency-Key': key } })
