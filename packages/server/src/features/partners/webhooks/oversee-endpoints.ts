import { transact } from '../../../platform/database/database.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Principal } from '../../operations/access/access.ts'
import { notifyOwner } from './notify-owner.ts'
import { readDeliveries } from './read-deliveries.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { AdminEndpointQuery, DeliveryQuery, EndpointStop, EndpointView } from './schema.ts'
import { prepareViews, viewOf } from './show-endpoint.ts'
import type { Deps } from './webhooks.ts'

const adminView = (view: EndpointView, endpoint: repository.AdminEndpoint) => ({
  ...view,
  url: rules.withoutQuery(view.url),
  user_id: endpoint.user_id,
  user_email: endpoint.user_email,
  organization_name: endpoint.organization_name,
  waiting: endpoint.waiting,
})

export async function listAllEndpoints(deps: Deps, query: AdminEndpointQuery) {
  const { rows, total } = await repository.findAdminPage(deps.db, query)
  const view = await prepareViews(deps, deps.db, rows)
  return toPage(
    rows.map((row) => adminView(view(row), row)),
    total,
    query,
  )
}

export async function showAnyEndpoint(deps: Deps, id: string) {
  const endpoint = await repository.findAdminEndpoint(deps.db, id)
  if (!endpoint) throw rules.unknownEndpoint()
  return adminView(await viewOf(deps, deps.db, endpoint), endpoint)
}

export async function listAnyDeliveries(deps: Deps, id: string, query: DeliveryQuery) {
  const endpoint = await repository.findEndpoint(deps.db, id)
  if (!endpoint) throw rules.unknownEndpoint()
  return readDeliveries(deps, endpoint, query)
}

/** Stops an endpoint, or restores it, paused. */
export async function stopEndpoint(
  deps: Deps,
  caller: Principal,
  id: string,
  { is_stopped, reason }: EndpointStop,
) {
  const { db, accounts, audit, now } = deps
  return transact(db, async (trx) => {
    await accounts.loadCaller(trx, caller)
    const endpoint = await repository.findEndpointToChange(trx, id)
    if (!endpoint) throw rules.unknownEndpoint()
    if (is_stopped !== (endpoint.status === 'stopped')) {
      // A restored endpoint keeps the cursor of the events that it missed.
      await repository.disableEndpoints(trx, { id }, 'operator', now())
      await repository.updateEndpoint(trx, id, {
        status: is_stopped ? 'stopped' : 'paused',
        status_reason: is_stopped ? 'operator' : null,
        note: is_stopped ? reason : null,
        updated_at: now(),
      })
      await audit.writeEntry(trx, is_stopped ? 'webhook.stopped' : 'webhook.restored', {
        actor_id: caller.user_id,
        subject_id: endpoint.user_id,
        details: { webhook: id, reason },
      })
      await notifyOwner(
        deps,
        trx,
        endpoint,
        is_stopped ? 'A webhook endpoint was stopped' : 'A webhook endpoint was restored',
        (organization) =>
          is_stopped
            ? rules.stoppedSentence(endpoint.origin, reason, organization)
            : rules.restoredSentence(endpoint.origin, organization),
      )
    }
    const updatedEndpoint = await repository.findAdminEndpoint(trx, id)
    if (!updatedEndpoint) throw rules.unknownEndpoint()
    return adminView(await viewOf(deps, trx, updatedEndpoint), updatedEndpoint)
  })
}
