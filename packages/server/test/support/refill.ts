import { beforeAll, onTestFinished } from 'vitest'
import { refillClock } from '../../src/platform/http/limits.ts'

/**
 * Stops the clock of rate limits for the tests of a file: on a busy machine limits refill as fast as
 * they empty. The clock of later files in the same process never goes back: their limits would lose
 * what was refilled here.
 */
export function stopRefill() {
  let running = refillClock.now
  let [stoppedAt, passedMs, usedMs] = [0, 0, 0]
  // Only if a test of the file runs, because only then the file calls `resume`.
  beforeAll(() => {
    running = refillClock.now
    stoppedAt = running()
    refillClock.now = () => stoppedAt + passedMs - usedMs
  })
  /** Makes the budget look as after other requests that took the refill of these seconds. */
  const useUp = (seconds: number) => {
    usedMs = seconds * 1_000
  }
  const pass = (seconds: number, used = 0) => {
    passedMs += seconds * 1_000
    useUp(used)
  }
  const resume = () => {
    const clock = running
    refillClock.now = () => clock() + passedMs
  }
  return { useUp, pass, resume }
}

/** Stops the same clock until the test ends. */
export function stopRefillInTest(): void {
  const running = refillClock.now
  const stoppedAt = running()
  refillClock.now = () => stoppedAt
  onTestFinished(() => {
    refillClock.now = running
  })
}
