import type { StoreSuccess } from './deliver-event.ts'
import { finishSuccesses, type Success } from './repository.ts'
import type { Deps } from './webhooks.ts'

/**
 * Writes successful tries in batches: those that end during a write share the next one. A kill before
 * the write repeats the delivery, and receivers recognize its id.
 */
export function createSuccessStore({ db, now }: Deps, by: string): StoreSuccess {
  let waiting: Success[] = []
  let next: Promise<void> | undefined
  let running: Promise<unknown> = Promise.resolve()

  const write = async () => {
    await running.catch(() => {})
    const batch = waiting
    waiting = []
    next = undefined
    running = finishSuccesses(db, by, batch, now())
    await running
  }
  return (success) => {
    waiting.push(success)
    next ??= write()
    return next
  }
}
