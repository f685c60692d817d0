import { setImmediate } from 'node:timers/promises'

const longestBusyMs = 4

/** For long computations: called often, yields to the event loop now and then. */
export function createBreather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < longestBusyMs) return
    await setImmediate()
    since = performance.now()
  }
}
