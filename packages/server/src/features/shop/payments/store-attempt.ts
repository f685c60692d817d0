import type { PaymentObject, PaymentRequest } from '../../../platform/payments/gateway.ts'
import type { Deps } from './payments.ts'
import { inAMinute, queueChecks } from './queue-checks.ts'
import type { Attempt } from './repository.ts'
import * as attempts from './repository.ts'
import * as rules from './rules.ts'
import { sealObject } from './seal-payment.ts'

export async function requestOf({ savedCards }: Deps, attempt: Attempt): Promise<PaymentRequest> {
  const { id, success_url, cancel_url } = attempt
  return {
    attempt_id: id,
    amount_in_cents: attempt.amount_in_cents,
    description: rules.describe(attempt),
    customer:
      attempt.provider === 'card'
        ? await savedCards.findOrCreateCustomer(attempt.user_id)
        : undefined,
    urls: success_url !== null && cancel_url !== null ? { success_url, cancel_url } : undefined,
    wallet_only: attempt.method === 'WalletPay',
    payment_method: attempt.payment_method ?? undefined,
    is_capture_manual: attempt.is_capture_manual,
    created_at: attempt.created_at,
    expires_at: attempt.expires_at,
  }
}

export async function storeAttempt(
  deps: Deps,
  { id }: Attempt,
  response: PaymentObject,
): Promise<PaymentObject> {
  const { db } = deps
  const object = {
    reference: response.reference,
    sealed: sealObject(deps, id, response),
    methods: JSON.stringify(response.methods),
    check_at: inAMinute(deps),
  }
  const current = await attempts.setObject(db, id, object)
  // Closed while the provider was called.
  if (current?.status === 'closed') await queueChecks(db, [id])
  return response
}
