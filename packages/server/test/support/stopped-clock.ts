import { onTestFinished, vi } from 'vitest'

/**
 * Until the test ends, time passes only by `service.clock.advance`: on a slow machine, a back-off
 * could elapse meanwhile.
 */
export function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
}
