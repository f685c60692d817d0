import type { Principal } from '../../operations/access/index.ts'
import { unknownOrder } from '../orders/index.ts'
import type { Deps } from './deps.ts'

/** Operators see the reasons; only the buyer sees the claim link. */
export async function listRefunds({ orders, ledger }: Deps, caller: Principal, order_id: string) {
  const order = await orders.findOrder(order_id)
  const isOperator = caller.scopes.has('refund:read')
  const isBuyer = order?.user_id === caller.user_id
  if (!order || (!isBuyer && !isOperator)) throw unknownOrder()
  const refunds = await ledger.findRefunds(order_id, isBuyer && caller.kind === 'session')
  return isOperator ? refunds : refunds.map(({ reason: _, ...refund }) => refund)
}
