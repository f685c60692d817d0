import { assertPerson, isPerson, type Principal } from '../../operations/access/index.ts'
import { unknownOrder } from '../orders/orders.ts'
import type { Deps } from './deps.ts'

/**
 * Operators see the reasons; only the buyer sees the claim link, which moves the money: with a fresh
 * proof, and not while a former mailbox could take the account back.
 */
export async function listRefunds(
  { accounts, orders, ledger }: Deps,
  caller: Principal,
  order_id: string,
  { claims = false }: { claims?: boolean | undefined } = {},
) {
  const order = await orders.findOrder(order_id)
  const isOperator = caller.scopes.has('refund:read')
  const isBuyer = order?.user_id === caller.user_id
  if (!order || (!isBuyer && !isOperator)) throw unknownOrder()
  if (isBuyer && claims) assertPerson(caller)
  const claim_from = isBuyer ? await accounts.findUnsettledUntil(order.user_id) : undefined
  const refunds = await ledger.findRefunds(order_id, isBuyer && !claim_from && isPerson(caller))
  return refunds.map(({ reason, ...refund }) => ({
    ...refund,
    ...(isOperator ? { reason } : {}),
    ...(claim_from && refund.has_claim && !refund.paid_out_at ? { claim_from } : {}),
  }))
}
