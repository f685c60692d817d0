import { transactOutsideRequest } from '../../../platform/database/database.ts'
import type { PostOutcome } from '../../../platform/outside/post-body.ts'
import type { Transaction } from '../../../tables.ts'
import { scopesOfMember } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import type { ClaimedDelivery, Standing, Success } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { Endpoint, StatusReason } from './table.ts'

/** Stores a successful try. */
export type StoreSuccess = (success: Success) => Promise<void>

/** Sends one leased delivery and stores the result. */
export async function deliverEvent(
  deps: Deps,
  claimed: ClaimedDelivery,
  standing: Standing,
  by: string,
  storeSuccess: StoreSuccess,
): Promise<void> {
  const { now, poster } = deps
  const lossReason = lostAccess(standing)
  if (lossReason) return stopEndpoint(deps, claimed, by, standing, lossReason)
  if (!maySee(standing, claimed)) return cancelDelivery(deps, claimed, by)
  const headers = rules.signedHeaders(claimed, secretsOf(deps, standing), now())
  const start = performance.now()
  const outcome = await poster.post(standing.url, headers, claimed.payload)
  const latency_ms = Math.round(performance.now() - start)
  if (!rules.isSuccess(outcome)) return storeFailure(deps, claimed, by, outcome, latency_ms)
  const { status: response_status, text: answer } = outcome.answer
  const isQuick = rules.isQuick(latency_ms)
  const { id, endpoint_id } = claimed
  return storeSuccess({ id, endpoint_id, response_status, latency_ms, answer, isQuick })
}

/** The reason why the owner may no longer get events. Checked for every delivery. */
function lostAccess(standing: Standing): StatusReason | 'inactive' | undefined {
  const { status, is_account_active, organization_id, member_role, api_key_id, key_scopes } =
    standing
  if (status !== 'active') return 'inactive'
  if (!is_account_active) return 'access_lost'
  const isManager = member_role && scopesOfMember(member_role).has('organization:write')
  if (organization_id && !isManager) return 'access_lost'
  if (api_key_id && !key_scopes?.includes('webhook:write')) return 'key_revoked'
  return undefined
}

/** A former owner gets the event that the id left, and no later event of it. */
function maySee({ owns_id }: Standing, { type, emoji_id }: ClaimedDelivery): boolean {
  const isFarewell = type === 'emoji_id.transferred' || type === 'emoji_id.released'
  return emoji_id === null || !type.startsWith('emoji_id.') || isFarewell || owns_id
}

function secretsOf({ sealer, now }: Deps, endpoint: Endpoint): string[] {
  const { id, sealed_secret, sealed_previous, previous_until } = endpoint
  const isRotating = sealed_previous !== null && previous_until !== null && previous_until > now()
  const sealedSecrets = isRotating ? [sealed_secret, sealed_previous] : [sealed_secret]
  return sealedSecrets.map((one) => sealer.open(one, rules.secretContext(id)).toString())
}

/** The delivery waits until the endpoint is enabled again. */
const stopEndpoint = (
  { db, now }: Deps,
  { id, tries }: ClaimedDelivery,
  by: string,
  endpoint: Endpoint,
  lossReason: StatusReason | 'inactive',
): Promise<void> =>
  transactOutsideRequest(db, async (trx) => {
    if (lossReason !== 'inactive') {
      await repository.disableEndpoints(trx, { id: endpoint.id }, lossReason, now())
    }
    await repository.finishDelivery(trx, { id, by }, { status: 'waiting', tries: tries - 1 })
  })

const cancelDelivery = ({ db }: Deps, { id }: ClaimedDelivery, by: string): Promise<void> =>
  transactOutsideRequest(db, async (trx) => {
    const error = 'The id belongs to another owner now.'
    await repository.finishDelivery(trx, { id, by }, { status: 'cancelled', error })
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
    if (verdict.disables) await disableFailing(deps, trx, endpoint, verdict.disables, now)
  })

/** Disables the endpoint once, and emails its owner. */
async function disableFailing(
  { accounts, organizations, audit }: Deps,
  trx: Transaction,
  { id, url, user_id, organization_id }: Endpoint,
  reason: 'gone' | 'failing',
  now: Date,
): Promise<void> {
  const disabledEndpoints = await repository.disableEndpoints(trx, { id }, reason, now)
  if (disabledEndpoints.length === 0) return
  await audit.writeEntry(trx, 'webhook.disabled', {
    subject_id: user_id,
    details: { webhook: id, organization_id, reason },
  })
  const page = `/account/webhooks/${id}`
  const title = 'A webhook endpoint was disabled'
  const sentence = rules.disabledSentence(url, reason)
  if (organization_id) {
    await organizations.notifyOwners(trx, organization_id, title, sentence, page)
    return
  }
  const [user] = await accounts.findAccounts(trx, [user_id])
  if (user) await accounts.notifyAccount(trx, user, title, sentence, page)
}
