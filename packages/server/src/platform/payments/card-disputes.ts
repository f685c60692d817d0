import type Stripe from 'stripe'
import { secondsOf, timeOf } from '../time.ts'
import { askStripe } from './card-faults.ts'
import type { Dispute } from './gateway.ts'

/** The newest ones; far more than a shop has in the period. */
const disputesAtOnce = 2_000

/** All disputes of a payment. */
export const listDisputes = (stripe: Stripe, payment_intent: string): Promise<Dispute[]> =>
  askStripe('list disputes', async () => {
    const { data } = await stripe.disputes.list({ payment_intent, limit: 100 })
    return data.map(disputeState)
  })

/** Disputes of all payments opened since then. */
export const findDisputes = (stripe: Stripe, since: Date) =>
  askStripe('list disputes', async () => {
    const created = { gte: secondsOf(since) }
    const pages = stripe.disputes.list({ created, limit: 100 })
    const disputes = await pages.autoPagingToArray({ limit: disputesAtOnce })
    return disputes.flatMap(({ id, payment_intent: intent }) => {
      const payment = typeof intent === 'string' ? intent : intent?.id
      return payment === undefined ? [] : [{ payment, reference: id }]
    })
  })

/** The amount that the shop has lost so far; an inquiry takes nothing. */
const takenBy = ({ balance_transactions }: Stripe.Dispute): number =>
  -balance_transactions.reduce((sum, { amount }) => sum + amount, 0)

function statusOf(dispute: Stripe.Dispute): Dispute['status'] {
  switch (dispute.status) {
    case 'won':
    case 'warning_closed':
      return 'won'
    case 'lost':
      return 'lost'
    case 'prevented':
      // Settled before it became a dispute: lost only if our money was taken.
      return takenBy(dispute) > 0 ? 'lost' : 'won'
    default:
      return 'open'
  }
}

function disputeState(dispute: Stripe.Dispute): Dispute {
  const { id, amount, reason, created, evidence_details } = dispute
  return {
    reference: id,
    amount_in_cents: amount,
    reason,
    status: statusOf(dispute),
    opened_at: timeOf(created),
    answer_until: evidence_details.due_by ? timeOf(evidence_details.due_by) : null,
  }
}
