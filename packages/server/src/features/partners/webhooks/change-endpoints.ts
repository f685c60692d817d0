import { randomUUID } from 'node:crypto'
import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../../identity/accounts/accounts.ts'
import { assertPerson, type Principal } from '../../operations/access/access.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Endpoint } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { EndpointChange, NewEndpoint } from './schema.ts'
import { assertMayManage, assertOwn, viewOf } from './show-endpoint.ts'
import type { Deps } from './webhooks.ts'

/** Returns the secret; later responses never contain it. */
export async function createEndpoint(deps: Deps, caller: Principal, body: NewEndpoint) {
  const { db, accounts, organizations, sealer, audit, now } = deps
  const organization_id = body.organization_id ?? null
  assertMayManage(deps, caller, organization_id)
  deps.limits.requests.spend(currentNetwork(), 1)
  const url = await checkUrl(deps, body.url)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    rules.assertConfirmed(user)
    // Locks the organization, so that concurrent requests count each other.
    if (organization_id) await organizations.loadOrganizationToChange(trx, organization_id)
    const owner = organization_id ? { organization_id } : { user_id: user.id }
    const existing = await repository.findEndpoints(trx, owner)
    if (existing.length >= rules.endpointsAtMost) throw rules.tooManyEndpoints()
    await assertNotStopped(deps, trx, { user_id: user.id, organization_id }, url)
    const id = randomUUID()
    const secret = rules.makeSecret()
    const endpoint = await repository.insertEndpoint(trx, {
      id,
      user_id: user.id,
      organization_id,
      api_key_id: null,
      ...rules.sealUrl(sealer, id, url),
      types: [...new Set(body.types ?? [])],
      status_reason: null,
      note: null,
      sealed_secret: sealer.seal(secret, rules.sealContext(id)),
      sealed_previous: null,
      previous_until: null,
      sealed_older: null,
      older_until: null,
      failing_since: null,
      hold_until: null,
      last_success_at: null,
      missed_after: null,
      created_at: now(),
      updated_at: now(),
    })
    await audit.writeEntry(trx, 'webhook.created', {
      actor_id: user.id,
      details: { webhook: id, organization_id, host: rules.hostOf(url) },
    })
    await notifyOwner(deps, trx, endpoint, 'A webhook endpoint was added', (organization) =>
      rules.createdSentence(url, organization),
    )
    return { ...(await viewOf(deps, trx, endpoint)), secret }
  })
}

/**
 * An owner must not undo the stop of an operator with another endpoint at the same host, and a new
 * account of the same person not with the same address.
 */
async function assertNotStopped(
  { sealer }: Deps,
  trx: Transaction,
  owner: Pick<Endpoint, 'user_id' | 'organization_id'>,
  url: string,
): Promise<void> {
  const { user_id, organization_id } = owner
  const stoppedEndpoints = await repository.findStopped(trx, rules.hostOf(url))
  const isStopped = stoppedEndpoints.some(
    (one) =>
      one.user_id === user_id ||
      (organization_id !== null && one.organization_id === organization_id) ||
      rules.withoutQuery(rules.openUrl(sealer, one)) === rules.withoutQuery(url),
  )
  if (isStopped) throw rules.stoppedHost()
}

/** Checks the address now; every delivery checks it again. */
async function checkUrl({ poster, allowsHttp }: Deps, text: string): Promise<string> {
  const url = rules.readUrl(text, allowsHttp)
  if (!(await poster.mayReach(url))) throw rules.unreachableUrl()
  return url
}

/** Locks an endpoint of the caller. */
async function withEndpoint<Result>(
  deps: Deps,
  caller: Principal,
  id: string,
  work: (trx: Transaction, endpoint: Endpoint, user: User) => Promise<Result>,
): Promise<Result> {
  return transact(deps.db, async (trx) => {
    const user = await deps.accounts.loadCaller(trx, caller)
    const endpoint = await repository.findEndpointToChange(trx, id)
    assertOwn(deps, caller, endpoint)
    return work(trx, endpoint, user)
  })
}

/** The caller becomes responsible: deliveries depend on the caller's rights from now on. */
const responsible = (caller: Principal) => ({
  user_id: caller.user_id,
  api_key_id: caller.key?.id ?? null,
})

export async function changeEndpoint(
  deps: Deps,
  caller: Principal,
  id: string,
  change: EndpointChange,
) {
  const { sealer, audit, now } = deps
  if (change.url !== undefined) deps.limits.requests.spend(currentNetwork(), 1)
  const url = change.url === undefined ? undefined : await checkUrl(deps, change.url)
  return withEndpoint(deps, caller, id, async (trx, endpoint, user) => {
    const { is_paused, types } = change
    if (is_paused === false && endpoint.status === 'stopped') throw rules.stoppedEndpoint()
    if (url !== undefined || is_paused === false) rules.assertConfirmed(user)
    rules.assertKeyMayReceive(caller, endpoint.organization_id, types ?? [])
    const isMoved = url !== undefined && url !== rules.openUrl(sealer, endpoint)
    if (isMoved) {
      assertPerson(caller)
      if (endpoint.status === 'stopped') throw rules.stoppedEndpoint()
      const { organization_id } = endpoint
      await assertNotStopped(deps, trx, { user_id: user.id, organization_id }, url)
    }
    const isTakenOver = url !== undefined || (is_paused === false && endpoint.status === 'disabled')
    if (isTakenOver) {
      rules.assertKeyMayTakeOver(caller, { ...endpoint, types: types ?? endpoint.types })
    }
    const updatedEndpoint = await repository.updateEndpoint(trx, id, {
      ...(isTakenOver ? responsible(caller) : {}),
      ...(url === undefined
        ? {}
        : { ...rules.sealUrl(sealer, id, url), is_healthy: false, setbacks: 0, hold_until: null }),
      ...(types === undefined ? {} : { types: [...new Set(types)] }),
      ...statusAfter(endpoint, is_paused),
      updated_at: now(),
    })
    await audit.writeEntry(trx, 'webhook.changed', {
      actor_id: caller.user_id,
      details: { webhook: id, host: url && rules.hostOf(url), types, is_paused },
    })
    if (isMoved) {
      await notifyOwner(
        deps,
        trx,
        updatedEndpoint,
        'A webhook endpoint has a new address',
        (organization) => rules.movedSentence(url, endpoint.origin, organization),
      )
    }
    // Deliveries that waited while it was paused are due.
    await repository.announceDue(trx)
    return viewOf(deps, trx, updatedEndpoint)
  })
}

function statusAfter({ status }: Endpoint, is_paused: boolean | undefined) {
  if (is_paused === undefined || status === 'stopped') return {}
  if (is_paused) return status === 'active' ? { status: 'paused' as const } : {}
  return {
    status: 'active' as const,
    status_reason: null,
    failures: 0,
    failing_since: null,
    hold_until: null,
  }
}

/** A former secret also signs for a day, so that receivers have time to switch. */
export async function rotateSecret(deps: Deps, caller: Principal, id: string) {
  const { sealer, audit, now } = deps
  return withEndpoint(deps, caller, id, async (trx, endpoint) => {
    const secret = rules.makeSecret()
    const updatedEndpoint = await repository.updateEndpoint(trx, id, {
      ...responsible(caller),
      sealed_secret: sealer.seal(secret, rules.sealContext(id)),
      ...rules.rotate(endpoint, now()),
      updated_at: now(),
    })
    await audit.writeEntry(trx, 'webhook.rotated', {
      actor_id: caller.user_id,
      details: { webhook: id },
    })
    await notifyOwner(
      deps,
      trx,
      updatedEndpoint,
      'The secret of a webhook endpoint was rotated',
      (organization) => rules.rotatedSentence(endpoint.origin, organization),
    )
    return { ...(await viewOf(deps, trx, updatedEndpoint)), secret }
  })
}

export const deleteEndpoint = (deps: Deps, caller: Principal, id: string) =>
  withEndpoint(deps, caller, id, async (trx, endpoint) => {
    if (endpoint.status === 'stopped') throw rules.stoppedEndpoint()
    await repository.deleteEndpoint(trx, id)
    await deps.audit.writeEntry(trx, 'webhook.deleted', {
      actor_id: caller.user_id,
      details: { webhook: id, host: rules.hostOf(endpoint.origin) },
    })
  })

/** Endpoints of organizations stay: they are disabled until another owner takes them over. */
export async function deleteEndpointsOf({ sealer }: Deps, trx: Transaction, user_id: string) {
  for (const endpoint of await repository.findStoppedOf(trx, user_id)) {
    const { id } = endpoint
    const url = rules.withoutQuery(rules.openUrl(sealer, endpoint))
    // The row of the key takes its endpoints along.
    await repository.updateEndpoint(trx, id, {
      ...rules.sealUrl(sealer, id, url),
      api_key_id: null,
    })
  }
  await repository.deleteEndpointsOf(trx, user_id)
}
