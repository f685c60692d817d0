import { randomUUID } from 'node:crypto'
import { transactOutsideRequest } from '../../../platform/database/database.ts'
import { deliverEvent } from './deliver-event.ts'
import type { Deps } from './deps.ts'
import { queueDeliveries } from './queue-deliveries.ts'
import type { Claimed } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'

/** Numbers of events and finished deliveries wake the dispatcher; the poll finds due retries. */
const pollMs = 1_000
const renewMs = 2_000
const lanesAtOnce = 64
/** A stop waits this long for running deliveries; others send the rest after the lease. */
const stopWithinMs = 3_000

type Running = { isHealthy: boolean; done: Promise<void> }

/**
 * Sends due deliveries. It has connections of its own rather than jobs, because a slow endpoint
 * would occupy one of the few workers of all jobs for 15 seconds. Every worker process runs one, and
 * leases share the deliveries.
 */
export function startDispatcher(deps: Deps) {
  const { db, events, monitor, log } = deps
  const by = randomUUID()
  const runningTasks = new Map<string, Running>()
  let isAsked = false
  let isStopped = false
  let turn: Promise<void> | undefined

  const countRunning = (isHealthy: boolean) =>
    [...runningTasks.values()].filter((one) => one.isHealthy === isHealthy).length

  const launch = (claimed: Claimed, isHealthy: boolean) => {
    const delivery = deliverEvent(deps, claimed, by)
      .catch((error) => log.warn({ err: error }, 'A webhook delivery was interrupted'))
      .then(() => {
        runningTasks.delete(claimed.id)
        wake()
      })
    runningTasks.set(claimed.id, { isHealthy, done: delivery })
  }

  /** Claims as much as there are free connections; returns how much. */
  const claim = async (): Promise<number> => {
    const now = deps.now()
    const room = {
      healthy: rules.connections.healthy - countRunning(true),
      other: rules.connections.other - countRunning(false),
    }
    if (room.healthy <= 0 && room.other <= 0) return 0
    const claims = await transactOutsideRequest(db, async (trx) => {
      const ids = await repository.lockLanes(trx, now, lanesAtOnce)
      if (ids.length === 0) return []
      const claimed: { delivery: Claimed; isHealthy: boolean }[] = []
      for (const lane of await repository.readLanes(trx, ids)) {
        const pool = lane.is_healthy ? 'healthy' : 'other'
        const limit = Math.min(rules.lanesOf(lane) - lane.busy, room[pool])
        if (limit <= 0) continue
        const deliveries = await repository.claimDeliveries(
          trx,
          { endpoint_id: lane.id, limit, by },
          now,
        )
        room[pool] -= deliveries.length
        for (const delivery of deliveries) claimed.push({ delivery, isHealthy: lane.is_healthy })
      }
      return claimed
    })
    for (const { delivery, isHealthy } of claims) launch(delivery, isHealthy)
    return claims.length
  }

  const work = async () => {
    while (isAsked && !isStopped) {
      isAsked = false
      await queueDeliveries(deps)
      while (!isStopped && (await claim()) > 0);
    }
  }
  const wake = () => {
    isAsked = true
    if (isStopped || turn || monitor.isAway()) return
    turn = work()
      .catch((error) => log.warn({ err: error }, 'Webhooks could not be sent yet'))
      .finally(() => {
        turn = undefined
        if (isAsked && !isStopped && !monitor.isAway()) setImmediate(wake)
      })
  }
  const renew = async () => {
    if (isStopped || monitor.isAway()) return
    if (runningTasks.size > 0) await repository.renewLeases(db, by, [...runningTasks.keys()])
    await repository.freeExpiredLeases(db)
  }

  events.whenNumbered(wake)
  const poll = setInterval(wake, pollMs).unref()
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
