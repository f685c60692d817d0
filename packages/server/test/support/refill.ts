import { refillClock } from '../../src/platform/http/allowance.ts'

/**
 * Stops the clock of rate limits, which on a busy machine refill as fast as they empty. The clock of
 * later files in the same process never goes back: their limits would lose what was refilled here.
 */
export function stopRefill() {
  const running = refillClock.now
  const stoppedAt = running()
  let [passedMs, usedMs] = [0, 0]
  refillClock.now = () => stoppedAt + passedMs - usedMs
  /** As after other requests that took the refill of these seconds. */
  const useUp = (seconds: number) => {
    usedMs = seconds * 1_000
  }
  const pass = (seconds: number, used = 0) => {
    passedMs += seconds * 1_000
    useUp(used)
  }
  const resume = () => {
    refillClock.now = () => running() + passedMs
  }
  return { useUp, pass, resume }
}
