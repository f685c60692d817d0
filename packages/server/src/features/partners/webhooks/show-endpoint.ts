import type { Database } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { assertScope } from '../../operations/access/access.ts'
import type { CursorAt } from '../../operations/events/events.ts'
import type { Delivery, Endpoint } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { DeliveryView, EndpointView } from './schema.ts'
import type { Deps } from './webhooks.ts'

/** Throws unless the caller manages endpoints of this owner. Operators have their own operations. */
export function assertMayManage(
  { organizations }: Deps,
  caller: Principal,
  organization_id: string | null | undefined,
): void {
  if (organization_id) {
    if (!caller.memberships.has(organization_id)) throw rules.unknownEndpoint()
    organizations.assertMayInOrganization(caller, organization_id, 'organization:write')
  } else if (!caller.key) {
    assertScope(caller, 'user:writeSelf')
  }
}

/** The endpoint, if the caller manages it. */
export function assertOwn(
  deps: Deps,
  caller: Principal,
  endpoint: Endpoint | undefined,
): asserts endpoint is Endpoint {
  const isForeign = endpoint?.organization_id === null && endpoint.user_id !== caller.user_id
  if (!endpoint || isForeign) throw rules.unknownEndpoint()
  assertMayManage(deps, caller, endpoint.organization_id)
}

/** Shows these endpoints with one read of the feed. Pass the open transaction. */
export async function prepareViews(
  { events, sealer, now }: Deps,
  from: Database,
  endpoints: readonly Endpoint[],
) {
  const missed = endpoints.flatMap(({ missed_after }) => missed_after ?? [])
  const cursorAt = await events.readCursors(from, missed)
  return (endpoint: Endpoint): EndpointView =>
    viewAt(endpoint, rules.openUrl(sealer, endpoint), cursorAt, now())
}

export const viewOf = async (deps: Deps, from: Database, endpoint: Endpoint) =>
  (await prepareViews(deps, from, [endpoint]))(endpoint)

function viewAt(endpoint: Endpoint, url: string, cursorAt: CursorAt, now: Date): EndpointView {
  const { missed_after, hold_until } = endpoint
  return {
    id: endpoint.id,
    organization_id: endpoint.organization_id,
    url,
    types: endpoint.types,
    status: endpoint.status,
    status_reason: endpoint.status_reason,
    note: endpoint.note,
    previous_secret_until: endpoint.previous_until,
    failing_since: endpoint.failing_since,
    last_success_at: endpoint.last_success_at,
    hold_until: hold_until && hold_until > now ? hold_until : null,
    replay_from: missed_after === null ? null : cursorAt(missed_after),
    created_at: endpoint.created_at,
    updated_at: endpoint.updated_at,
  }
}

/** A delivery waits for its own time and for that of its endpoint. */
function nextTryOf({ status, due_at }: Delivery, endpoint: Endpoint): Date | null {
  const { hold_until } = endpoint
  if (status !== 'waiting' || endpoint.status !== 'active') return null
  return hold_until && hold_until > due_at ? hold_until : due_at
}

export const deliveryView = (delivery: Delivery, endpoint: Endpoint): DeliveryView => ({
  id: delivery.id,
  event_id: delivery.event_id,
  type: delivery.type,
  emoji_id: delivery.emoji_id,
  status: delivery.status,
  tries: delivery.tries,
  response_status: delivery.response_status,
  latency_ms: delivery.latency_ms,
  answer: delivery.answer,
  error: delivery.error,
  created_at: delivery.created_at,
  last_tried_at: delivery.last_tried_at,
  next_try_at: nextTryOf(delivery, endpoint),
})

export async function listEndpoints(deps: Deps, caller: Principal, organization_id?: string) {
  assertMayManage(deps, caller, organization_id)
  const owner = organization_id ? { organization_id } : { user_id: caller.user_id }
  const endpoints = await repository.findEndpoints(deps.db, owner)
  return endpoints.map(await prepareViews(deps, deps.db, endpoints))
}

/** An endpoint of an organization is not data of the member who made it. */
export async function exportEndpoints({ db, sealer }: Deps, { user_id }: Principal) {
  return (await repository.findEndpoints(db, { user_id })).map((endpoint) => {
    const { id, types, status, created_at, updated_at } = endpoint
    return { id, url: rules.openUrl(sealer, endpoint), types, status, created_at, updated_at }
  })
}

export async function showEndpoint(deps: Deps, caller: Principal, id: string) {
  const endpoint = await repository.findEndpoint(deps.db, id)
  assertOwn(deps, caller, endpoint)
  return viewOf(deps, deps.db, endpoint)
}
