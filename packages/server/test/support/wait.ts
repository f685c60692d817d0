import { setTimeout as sleep } from 'node:timers/promises'

type Outcome = boolean | string

/** Shorter than the timeout of a test, so that the error names the condition. */
const longestMs = 4 * 60_000

/**
 * Waits for a condition. Most are requests, so it asks less often the longer it waits. A text says
 * what is still missing.
 */
export async function waitUntil(condition: () => Outcome | Promise<Outcome>): Promise<void> {
  const end = performance.now() + longestMs
  let pauseMs = 10
  for (let outcome = await condition(); outcome !== true; outcome = await condition()) {
    if (performance.now() > end) throw new Error(outcome || 'The condition was not met.')
    await sleep(pauseMs)
    pauseMs = Math.min(100, pauseMs * 1.4)
  }
}
