import { goodsOf, isRefundPending, type Order } from '../../api/shop.ts'
import { Badge, type Tone } from '../../design/badge.tsx'
import { texts } from './texts.ts'

const states = texts.states
type State = keyof typeof states

const tones: Partial<Record<State, Tone>> = { paid: 'good', cancelled: 'wrong', disputed: 'wrong' }

/** Whether all items are refunded. */
export const isFullyRefunded = (order: Order): boolean =>
  goodsOf(order).every(({ refunded_quantity }) => refunded_quantity > 0)

function stateOf(order: Order): State {
  if (order.status === 'Draft') return 'cart'
  if (order.status === 'PendingPayment') return 'waiting'
  if (order.status === 'Cancelled') return 'cancelled'
  if (order.dispute?.frozen) return 'disputed'
  if (order.dispute?.status === 'lost') return 'bankBack'
  if (isFullyRefunded(order)) return 'back'
  if (isRefundPending(order)) return 'asked'
  const refundedTotal = order.refunded_total_in_cents + order.misc_refunded_total_in_cents
  // An overpayment is refunded automatically.
  return refundedTotal > order.amount_overpaid_in_cents ? 'partlyBack' : 'paid'
}

/** The state of an order. */
export function OrderState({ order }: { order: Order }) {
  const state = stateOf(order)
  return <Badge tone={tones[state] ?? 'plain'}>{states[state]}</Badge>
}
