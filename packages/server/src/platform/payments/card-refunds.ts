import type Stripe from 'stripe'
import { askStripe, isGone, isRefusal } from './card-faults.ts'
import { withUnspentKey } from './card-keys.ts'
import type { Refund, RefundRequest } from './gateway.ts'

export const refundPayment = (stripe: Stripe, request: RefundRequest): Promise<Refund> =>
  askStripe('refund', () =>
    withUnspentKey(`refund-${request.key}`, (key) => createRefund(stripe, request, key)),
  )

async function createRefund(
  stripe: Stripe,
  { reference, payment, amount_in_cents: amount, key }: RefundRequest,
  idempotencyKey: string,
): Promise<Refund> {
  const refund =
    (await findByKey(stripe, payment, key)) ??
    (await stripe.refunds.create(
      { payment_intent: payment, amount, metadata: { key, reference } },
      // The refund may exist despite a 500: only a later list tells, not a prompt retry.
      { idempotencyKey, maxNetworkRetries: 0 },
    ))
  return { reference: refund.id, claim_url: null, has_failed: isVoid(refund) }
}

export const findRefund = (
  stripe: Stripe,
  { payment, key }: Pick<RefundRequest, 'payment' | 'key'>,
) =>
  askStripe('find a refund', async () => {
    const refund = await findByKey(stripe, payment, key)
    if (!refund) return undefined
    const has_failed = isVoid(refund)
    return { reference: refund.id, claim_url: null, has_failed, is_taken: !has_failed }
  })

/** Stripe drops idempotency keys after some days, but keeps the metadata of refunds. */
async function findByKey(
  stripe: Stripe,
  payment: string,
  key: string,
): Promise<Stripe.Refund | undefined> {
  const { data } = await stripe.refunds.list({ payment_intent: payment, limit: 100 })
  return data.find(({ metadata }) => metadata?.['key'] === key)
}

export const hasRefundFailed = (stripe: Stripe, reference: string): Promise<boolean> =>
  askStripe('look at a refund', async () => {
    try {
      return isVoid(await stripe.refunds.retrieve(reference))
    } catch (error) {
      // An operator paid the refund by hand, and the name belongs to another object.
      if (isGone(error) || isRefusal(error)) return false
      throw error
    }
  })

/** The bank rejected the refund, and the money is back with us. */
const isVoid = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'
