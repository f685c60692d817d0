import type { Transaction } from '../../../tables.ts'
import { notifyOwner } from './notify-owner.ts'
import type { Endpoint } from './repository.ts'
import * as repository from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './webhooks.ts'

type Disabled = Pick<Endpoint, 'id' | 'origin' | 'user_id' | 'organization_id'>

/** Disables the endpoint once, with an entry in the audit log and an email to its owner. */
export async function disableEndpoint(
  deps: Deps,
  trx: Transaction,
  { id }: Disabled,
  reason: rules.DisablingReason,
): Promise<void> {
  const disabledEndpoints = await repository.disableEndpoints(trx, { id }, reason, deps.now())
  for (const endpoint of disabledEndpoints) await reportDisabled(deps, trx, endpoint, reason)
}

/** Access was revoked, because a stranger may have had it: the endpoint may be the stranger's. */
export async function disableEndpointsOf(deps: Deps, trx: Transaction, user_id: string) {
  const reason = 'access_revoked'
  const disabledEndpoints = await repository.disableEndpoints(trx, { user_id }, reason, deps.now())
  for (const endpoint of disabledEndpoints) await reportDisabled(deps, trx, endpoint, reason)
}

async function reportDisabled(
  deps: Deps,
  trx: Transaction,
  endpoint: Disabled,
  reason: rules.DisablingReason,
): Promise<void> {
  const { id, origin, user_id, organization_id } = endpoint
  await deps.audit.writeEntry(trx, 'webhook.disabled', {
    subject_id: user_id,
    details: { webhook: id, organization_id, reason },
  })
  // The person revoked access or lost the account, and was told so.
  const isTold = reason === 'access_revoked' || reason === 'access_lost'
  if (isTold && !organization_id) return
  await notifyOwner(deps, trx, endpoint, 'A webhook endpoint was disabled', (organization) =>
    rules.disabledSentence(origin, reason, organization),
  )
}
