import { randomInt } from 'node:crypto'
import type { Options } from './events.ts'
import { sequenceEvents } from './sequence-events.ts'

/** Notifications wake the sequencers; the poll covers lost ones. */
const pollMs = 2_000
/** Events of a burst share a transaction of the sequencer. */
const gatherMs = 5
/** Another process numbers events if the usual one has not done so within this time, and as much again. */
const standInMs = 100

/**
 * Every process has a sequencer. The one that gave the latest numbers acts at once, and the others
 * only if it does not: each batch that it reports restarts their wait. A try-lock makes sure that one
 * at a time gives numbers. Nothing is held between two batches, so a dead process delays the next
 * number by the wait, or by the time limit of a transaction if its connection stays open.
 */
export function startSequencer(deps: Options) {
  const { monitor, log } = deps
  const name = `${process.pid}-${randomInt(2 ** 47)}`
  const whenNumbered: (() => void)[] = []
  let isFirst = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let runningTask: Promise<void> | undefined

  const wake = () => {
    if (isStopped || timer) return
    timer = setTimeout(run, isFirst ? gatherMs : standInMs + randomInt(standInMs)).unref()
  }
  const run = () => {
    timer = undefined
    if (isStopped || !monitor.isWritable()) return
    // It may have looked before the latest commit.
    if (runningTask) return wake()
    runningTask = sequenceEvents(deps, name)
      .then((isDone) => {
        if (isDone) return
        isFirst = false
        wake()
      })
      .catch((error) => log.warn({ err: error }, 'Events could not be numbered yet'))
      .finally(() => {
        runningTask = undefined
      })
  }
  const tell = () => {
    for (const action of whenNumbered) action()
  }
  const hear = (sequencer: string) => {
    tell()
    // The start of a reader gives numbers without being a sequencer.
    if (sequencer === '') return
    isFirst = sequencer === name
    if (isFirst || !timer) return
    clearTimeout(timer)
    timer = undefined
    wake()
  }
  monitor.listen('event_recorded', wake, wake)
  monitor.listen('events_numbered', hear, tell)
  const poll = setInterval(() => {
    wake()
    tell()
  }, pollMs).unref()

  return {
    /** Adds an action that runs after new numbers in any process, and now and then without. */
    whenNumbered: (action: () => void) => void whenNumbered.push(action),
    async stop() {
      isStopped = true
      clearInterval(poll)
      clearTimeout(timer)
      await runningTask
    },
  }
}
