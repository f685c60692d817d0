import { randomBytes } from 'node:crypto'
import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Endpoint } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { DeliveryQuery, Replay, ReplayRequest } from './schema.ts'
import { assertOwn, deliveryView } from './show-endpoint.ts'
import type { Deps } from './webhooks.ts'

export async function listDeliveries(
  deps: Deps,
  caller: Principal,
  id: string,
  query: DeliveryQuery,
) {
  const endpoint = await repository.findEndpoint(deps.db, id)
  assertOwn(deps, caller, endpoint)
  return readDeliveries(deps, endpoint, query)
}

export async function readDeliveries({ db }: Deps, endpoint: Endpoint, query: DeliveryQuery) {
  const { rows, total } = await repository.findDeliveryPage(db, endpoint.id, query)
  return toPage(
    rows.map((row) => deliveryView(row, endpoint)),
    total,
    query,
  )
}

const countedAtMost = 100_000

/** Counts the deliveries that wait, and the seconds since the oldest was due, for the metrics. */
export async function readBacklog({ db, now }: Deps) {
  const { undelivered, oldest_due } = await repository.readBacklog(db, now(), countedAtMost)
  const ms = oldest_due ? now().getTime() - oldest_due.getTime() : 0
  return { undelivered, oldest_due_seconds: Math.max(0, ms) / 1_000 }
}

const assertReceives = ({ status }: Endpoint): void => {
  if (status === 'stopped') throw rules.stoppedEndpoint()
  if (status !== 'active') throw rules.inactiveEndpoint()
}

export async function sendTestEvent(deps: Deps, caller: Principal, id: string) {
  const { db, now, limits } = deps
  limits.requests.spend(currentNetwork(), 1)
  return transact(db, async (trx) => {
    const endpoint = await repository.findEndpointToChange(trx, id)
    assertOwn(deps, caller, endpoint)
    assertReceives(endpoint)
    const waitingCount = await repository.countWaitingTests(trx, id)
    if (waitingCount >= rules.testsWaitingAtMost) throw rules.tooManyWaiting()
    const freedEndpoint = await repository.updateEndpoint(trx, id, { hold_until: null })
    const at = now()
    const delivery = await repository.insertTestDelivery(trx, {
      endpoint_id: id,
      event_id: `evt_test_${randomBytes(16).toString('base64url')}`,
      number: null,
      type: 'webhook.test',
      emoji_id: null,
      payload: JSON.stringify({ type: 'webhook.test', timestamp: at, data: {} }),
      due_at: at,
      leased_by: null,
      leased_until: null,
      response_status: null,
      latency_ms: null,
      answer: null,
      error: null,
      last_tried_at: null,
      created_at: at,
    })
    await repository.announceDue(trx)
    return deliveryView(delivery, freedEndpoint)
  })
}

export async function redeliver(deps: Deps, caller: Principal, id: string, delivery_id: string) {
  const { db, now, limits } = deps
  limits.requests.spend(currentNetwork(), 1)
  return transact(db, async (trx) => {
    const endpoint = await repository.findEndpointToChange(trx, id)
    assertOwn(deps, caller, endpoint)
    assertReceives(endpoint)
    const queued =
      (await repository.queueAgain(trx, id, delivery_id, now())) ??
      (await repository.findDelivery(trx, id, delivery_id))
    if (!queued) throw rules.unknownDelivery()
    const freedEndpoint = await repository.updateEndpoint(trx, id, { hold_until: null })
    await repository.announceDue(trx)
    return deliveryView(queued, freedEndpoint)
  })
}

/** Queues the events after a cursor again, in bounded parts: the caller continues with `next`. */
export const replayEvents = (
  deps: Deps,
  caller: Principal,
  id: string,
  request: ReplayRequest,
): Promise<Replay> => {
  const { replayedEvents, replayedInNetwork } = deps.limits
  const cost = ({ queued }: Replay) => queued
  const replay = () => queueReplay(deps, caller, id, request)
  return replayedInNetwork.spendOn(
    currentNetwork(),
    rules.replayedAtOnce,
    () => replayedEvents.spendOn(caller.user_id, rules.replayedAtOnce, replay, cost),
    cost,
  )
}

async function queueReplay(
  deps: Deps,
  caller: Principal,
  id: string,
  { after: cursor }: ReplayRequest,
): Promise<Replay> {
  const { db, events, now } = deps
  const { cursor: start, last_number } = await events.locateCursor(cursor)
  const after = start.number
  const until = Math.min(last_number, after + rules.scannedAtMost)
  return transact(db, async (trx) => {
    const endpoint = await repository.findEndpointToChange(trx, id)
    assertOwn(deps, caller, endpoint)
    assertReceives(endpoint)
    const limit = rules.replayedAtOnce
    const numbers = await repository.replayEvents(trx, endpoint, { after, until, limit }, now())
    const next = numbers.length === limit ? Math.max(...numbers) : until
    const is_complete = next >= last_number
    const { missed_after } = endpoint
    // The cursor of missed events moves along with the replay.
    if (missed_after !== null && after <= missed_after) {
      await repository.updateEndpoint(trx, id, {
        missed_after: is_complete ? null : Math.max(next, missed_after),
      })
    }
    if (numbers.length > 0) await repository.announceDue(trx)
    const cursorAt = await events.readCursors(trx, [next])
    return { queued: numbers.length, next: cursorAt(next), is_complete }
  })
}
