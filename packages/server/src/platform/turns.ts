import { currentNetwork } from './request-id.ts'

const longestBusyMs = 4

/** The time at which the work of this turn of the event loop began. */
let began: number | undefined
let isScheduled = false
/** The waiting requests by network; the next network is first. */
const waiting = new Map<string, (() => void)[]>()

/**
 * Awaited before the work of a request, and often in a long computation. Work that would make this
 * turn of the event loop long waits for a later one, where the networks take turns: many requests of
 * one network delay each other, and those of another by one of them.
 */
export function takeTurn(network = currentNetwork()): Promise<void> | undefined {
  const now = performance.now()
  if (began === undefined) {
    began = now
    schedule()
  }
  const own = waiting.get(network)
  if (!own && now - began < longestBusyMs) return undefined
  return new Promise((resolve) => {
    if (own) own.push(resolve)
    else waiting.set(network, [resolve])
  })
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    began = undefined
    if (waiting.size > 0) resume()
  })
}

function resume(): void {
  began ??= performance.now()
  schedule()
  takeFirst()?.()
  // The next party resumes after the microtasks and ticks of this one.
  queueMicrotask(() => process.nextTick(resumeNext))
}

function resumeNext(): void {
  const isOver = began === undefined || performance.now() - began >= longestBusyMs
  if (!isOver && waiting.size > 0) resume()
}

function takeFirst(): (() => void) | undefined {
  for (const [network, own] of waiting) {
    const first = own.shift()
    waiting.delete(network)
    if (own.length > 0) waiting.set(network, own)
    return first
  }
  return undefined
}
