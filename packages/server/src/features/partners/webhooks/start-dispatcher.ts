import { randomUUID } from 'node:crypto'
import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { deliverEvent } from './deliver-event.ts'
import { queueDeliveries } from './queue-deliveries.ts'
import type { ClaimedDelivery, Target } from './repository.ts'
import * as repository from './repository.ts'
import { findFull, isFree, shareConnections, type Use } from './share-connections.ts'
import { createSuccessStore } from './store-successes.ts'
import type { Deps } from './webhooks.ts'

/** Notifications and finished deliveries wake the dispatcher; the poll finds due retries. */
const pollMs = 1_000
const renewMs = 2_000
const lanesAtOnce = 64
/** A stop waits this long for running deliveries; others send the rest after the lease. */
const stopWithinMs = 3_000

type DispatchRun = { use: Use; done: Promise<void> }

/**
 * Sends due deliveries. It has connections of its own rather than jobs, because a slow endpoint
 * would occupy one of the few workers of all jobs for 15 seconds. Every worker process runs one, and
 * leases share the deliveries.
 */
export function startDispatcher(deps: Deps) {
  const { db, events, monitor, log } = deps
  const by = randomUUID()
  const storeSuccess = createSuccessStore(deps, by)
  const runningTasks = new Map<string, DispatchRun>()
  let mayHaveEvents = true
  let mayHaveDue = true
  let isStopped = false
  let turn: Promise<void> | undefined

  const launch = (claimed: ClaimedDelivery, target: Target, share: Use) => {
    const use = { ...share, since: performance.now() }
    const admit = (addresses: readonly string[]) => {
      const uses = [...runningTasks.values()].map((task) => task.use)
      const isAdmitted = isFree(uses, use, addresses)
      if (isAdmitted) use.addresses = addresses
      return isAdmitted
    }
    const done = deliverEvent(deps, claimed, target, by, { storeSuccess, admit })
      .catch((error) => log.warn({ err: error }, 'A webhook delivery was interrupted'))
      .then(() => {
        runningTasks.delete(claimed.id)
        wakeForDue()
      })
    runningTasks.set(claimed.id, { use, done })
  }

  /** Claims as much as there are free connections; returns whether more may be due. */
  const claim = async (): Promise<boolean> => {
    const now = deps.now()
    const uses = [...runningTasks.values()].map(({ use }) => use)
    const at = performance.now()
    const full = findFull(uses, at)
    if (full.isFull || !(await repository.hasWaiting(db))) return false
    const { isFull, shares, claimed, targets } = await transactOutsideRequest(db, async (trx) => {
      const ids = await repository.lockLanes(trx, full, now, lanesAtOnce)
      const lanes = ids.length > 0 ? await repository.readLanes(trx, ids, now) : []
      const shares = shareConnections(uses, lanes, at)
      const claims = shares.length > 0 ? await repository.claimDeliveries(trx, shares, by, now) : []
      return {
        isFull: ids.length === lanesAtOnce,
        shares: new Map(shares.map(({ endpoint_id, use }) => [endpoint_id, use])),
        claimed: claims,
        targets: await repository.findTargets(trx, claims, now),
      }
    })
    for (const one of claimed) {
      const [target, use] = [targets.get(one.id), shares.get(one.endpoint_id)]
      if (target && use) launch(one, target, use)
    }
    return isFull && claimed.length > 0
  }

  const work = async () => {
    while ((mayHaveEvents || mayHaveDue) && !isStopped) {
      if (mayHaveEvents) {
        mayHaveEvents = false
        if (await queueDeliveries(deps)) mayHaveEvents = true
      }
      mayHaveDue = false
      if (await claim()) mayHaveDue = true
    }
  }
  const wake = () => {
    if (isStopped || turn || !monitor.isWritable()) return
    turn = work()
      // The next notification or poll tries again.
      .catch((error) => log.warn({ err: error }, 'Webhooks could not be sent yet'))
      .finally(() => {
        turn = undefined
        // A delivery may have finished after the last look at the flags.
        if (mayHaveEvents || mayHaveDue) setImmediate(wake)
      })
  }
  const wakeForDue = () => {
    mayHaveDue = true
    wake()
  }
  const wakeForEvents = () => {
    mayHaveEvents = true
    wake()
  }
  const renew = async () => {
    if (isStopped || !monitor.isWritable()) return
    if (runningTasks.size > 0) await repository.renewLeases(db, by, [...runningTasks.keys()])
    await repository.freeExpiredLeases(db)
  }

  events.whenNumbered(wakeForEvents)
  monitor.listen('webhooks_due', wakeForDue, wakeForDue)
  const poll = setInterval(wakeForDue, pollMs).unref()
  const renewal = setInterval(() => {
    renew().catch((error) => log.debug({ err: error }, 'Leases of webhooks were not renewed'))
  }, renewMs).unref()
  wake()

  return {
    async stop() {
      isStopped = true
      clearInterval(poll)
      clearInterval(renewal)
      await turn
      const finished = Promise.all([...runningTasks.values()].map(({ done }) => done))
      const limit = new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())
      await Promise.race([finished, limit])
    },
  }
}
