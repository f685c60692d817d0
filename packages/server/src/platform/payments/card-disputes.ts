import type Stripe from 'stripe'
import type { Dispute } from './gateway.ts'

/** What the shop has lost by it so far; an inquiry takes nothing. */
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
      // Settled before it became a dispute: counts as lost only if our money was taken.
      return takenBy(dispute) > 0 ? 'lost' : 'won'
    default:
      return 'open'
  }
}

const timeOf = (seconds: number): Date => new Date(seconds * 1_000)

export function disputeState(dispute: Stripe.Dispute): Dispute {
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
