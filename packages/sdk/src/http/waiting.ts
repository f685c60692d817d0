import { NetworkError } from '../errors.ts'

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return withAbort(pause, signal).finally(() => clearTimeout(timer))
}

/** The outcome of a shared promise, unless this signal is aborted first. */
export function withAbort<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

type Bounds = {
  ms: number
  signal: AbortSignal | undefined
  host: string
  /** A further possible cause. */
  hint?: string
}

/**
 * Passes a signal that aborts the work at the time limit or with the caller's signal; a failure
 * becomes a `NetworkError`.
 */
export async function inTime<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { ms, signal, host, hint = '' }: Bounds,
): Promise<Value> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  let isTimeout = false
  const timer = setTimeout(() => {
    isTimeout = true
    controller.abort()
  }, ms)
  const forward = () => controller.abort()
  signal?.addEventListener('abort', forward, { once: true })
  try {
    return await work(controller.signal)
  } catch (cause) {
    signal?.throwIfAborted()
    if (!isTimeout && !isOfNetwork(cause)) throw cause
    const message = isTimeout
      ? `${host} did not respond within ${ms / 1_000} seconds.`
      : `The connection to ${host} failed. Check your internet connection.${hint}`
    throw new NetworkError(message, { isTimeout, cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', forward)
  }
}

/** Errors of `fetch` and its bodies without a complete response. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Error && error.name === 'AbortError')
