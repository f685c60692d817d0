import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { Admit, PostOutcome } from '../../../platform/outside/post-body.ts'
import { scopesOfMember } from '../../operations/access/access.ts'
import { disableEndpoint } from './disable-endpoint.ts'
import type { ClaimedDelivery, Endpoint, Success, Target } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './webhooks.ts'

/** Stores a successful try. */
export type StoreSuccess = (success: Success) => Promise<void>

/** Sends one leased delivery and stores the result. */
export async function deliverEvent(
  deps: Deps,
  claimed: ClaimedDelivery,
  target: Target,
  by: string,
  { storeSuccess, admit }: { storeSuccess: StoreSuccess; admit: Admit },
): Promise<void> {
  const { now, poster } = deps
  const lossReason = lostAccess(target)
  if (lossReason) return stopEndpoint(deps, claimed, by, target, lossReason)
  const cancellation = rules.cancellationOf(target, claimed)
  if (cancellation) return cancelDelivery(deps, claimed, by, cancellation)
  const headers = rules.signedHeaders(claimed, secretsOf(deps, target), now())
  const start = performance.now()
  const outcome = await poster.post(
    rules.openUrl(deps.sealer, target),
    headers,
    claimed.payload,
    admit,
  )
  if ('failure' in outcome && outcome.failure === 'busy') return postponeDelivery(deps, claimed, by)
  const latency_ms = Math.round(performance.now() - start)
  if (!rules.isSuccess(outcome)) return storeFailure(deps, claimed, by, outcome, latency_ms)
  const { status: response_status, text: answer } = outcome.answer
  const isQuick = rules.isQuick(latency_ms)
  const { id, endpoint_id } = claimed
  return storeSuccess({ id, endpoint_id, response_status, latency_ms, answer, isQuick })
}

type Loss = 'access_lost' | 'key_revoked' | 'inactive'

/** The reason why the owner may no longer get events. Checked for every delivery. */
function lostAccess(target: Target): Loss | undefined {
  const { status, is_account_active, organization_id, member_role, api_key_id, key_scopes } = target
  if (status !== 'active') return 'inactive'
  if (!is_account_active) return 'access_lost'
  const isManager = member_role && scopesOfMember(member_role).has('organization:write')
  if (organization_id && !isManager) return 'access_lost'
  if (api_key_id && !key_scopes?.includes('webhook:write')) return 'key_revoked'
  return undefined
}

function secretsOf({ sealer, now }: Deps, endpoint: Endpoint): string[] {
  const { id, sealed_secret } = endpoint
  const sealedSecrets = [
    sealed_secret,
    ...rules.formerSecretsOf(endpoint, now()).map(({ sealed }) => sealed),
  ]
  return sealedSecrets.map((one) => sealer.open(one, rules.sealContext(id)).toString())
}

/** The delivery waits until the endpoint is enabled again. */
const stopEndpoint = (
  deps: Deps,
  { id, tries }: ClaimedDelivery,
  by: string,
  endpoint: Endpoint,
  lossReason: Loss,
): Promise<void> =>
  transactOutsideRequest(deps.db, async (trx) => {
    if (lossReason !== 'inactive') await disableEndpoint(deps, trx, endpoint, lossReason)
    await repository.finishDelivery(trx, { id, by }, { status: 'waiting', tries: tries - 1 })
  })

const cancelDelivery = (
  { db }: Deps,
  { id }: ClaimedDelivery,
  by: string,
  error: string,
): Promise<void> =>
  transactOutsideRequest(db, async (trx) => {
    await repository.finishDelivery(trx, { id, by }, { status: 'cancelled', error })
  })

/** Not a try: the address has all its connections in use. */
const postponeDelivery = (
  { db, now }: Deps,
  { id, tries }: ClaimedDelivery,
  by: string,
): Promise<void> =>
  transactOutsideRequest(db, async (trx) => {
    const change = { tries: tries - 1, due_at: rules.dueAfterBusy(now()) }
    await repository.finishDelivery(trx, { id, by }, { status: 'waiting', ...change })
  })

const storeFailure = (
  deps: Deps,
  claimed: ClaimedDelivery,
  by: string,
  outcome: PostOutcome,
  latency_ms: number,
): Promise<void> =>
  transactOutsideRequest(deps.db, async (trx) => {
    const now = deps.now()
    const endpoint = await repository.findEndpointToChange(trx, claimed.endpoint_id)
    if (!endpoint) return
    const verdict = rules.judgeFailure(outcome, claimed.tries, endpoint, now)
    const answer = 'answer' in outcome ? outcome.answer : undefined
    const isOurs = await repository.finishDelivery(
      trx,
      { id: claimed.id, by },
      {
        ...verdict.delivery,
        latency_ms,
        response_status: answer?.status ?? null,
        answer: answer?.text ?? null,
        last_tried_at: now,
      },
    )
    // Another process has the delivery now.
    if (!isOurs) return
    await repository.updateEndpoint(trx, endpoint.id, verdict.endpoint)
    if (verdict.disables) await disableEndpoint(deps, trx, endpoint, verdict.disables)
  })
