import type { Options } from './events.ts'
import { numberBatch, sequenceEvents } from './sequence-events.ts'

/** Notifications wake the sequencer; the poll covers lost ones. */
const pollMs = 2_000
/** Events of a burst share a transaction of the sequencer. */
const gatherMs = 5

/**
 * Every process runs a sequencer, and the lock of the sequence row admits one at a time: there is no
 * leader whose death stops the numbers.
 */
export function startSequencer(deps: Options) {
  const { monitor, log } = deps
  const whenNumbered: (() => void)[] = []
  let isStarted = false
  let isAsked = false
  let isStopped = false
  let runningTask: Promise<void> | undefined

  const run = async () => {
    while (isAsked && !isStopped) {
      isAsked = false
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      // The first transaction also compares the place, so that no reader sees an old epoch.
      if (!isStarted) await numberBatch(deps)
      isStarted = true
      await sequenceEvents(deps)
    }
  }
  const wake = () => {
    isAsked = true
    if (isStopped || runningTask || monitor.isAway()) return
    runningTask = run()
      .catch((error) => log.warn({ err: error }, 'Events could not be numbered yet'))
      .finally(() => {
        runningTask = undefined
      })
  }
  const tell = () => {
    for (const action of whenNumbered) action()
  }
  monitor.listen('event_recorded', wake, wake)
  monitor.listen('events_numbered', tell, tell)
  const timer = setInterval(() => {
    wake()
    tell()
  }, pollMs).unref()

  return {
    /** Adds an action that runs after new numbers in any process, and now and then without. */
    whenNumbered: (action: () => void) => void whenNumbered.push(action),
    async stop() {
      isStopped = true
      clearInterval(timer)
      await runningTask
    },
  }
}
