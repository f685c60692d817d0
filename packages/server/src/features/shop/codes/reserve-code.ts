import type { Transaction } from '../../../tables.ts'
import { checkCode, findReachedLimit, type Use, type WantedCode } from './check-code.ts'
import type { Deps } from './codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'

/** Reserves a use of a code for an order, until it is released or counted; returns the discounts. */
export async function reserveCode(
  deps: Deps,
  trx: Transaction,
  codeInput: WantedCode,
  cart: rules.Cart,
): Promise<{ code: Code; discounts: rules.Discount[] }> {
  const { now } = deps
  const { code, emojis } = await checkCode(deps, trx, codeInput, cart)
  const { order_id, user_id, items } = cart
  const use = { code_id: code.id, order_id, user_id, emojis, counted_at: null }
  if (!(await codes.insertUse(trx, { ...use, created_at: now() }))) {
    throw rules.alreadyOnCart()
  }
  return { code, discounts: rules.discountsOf(code, items) }
}

/**
 * Reserves codes again for a late payment, after their uses were released. Returns false if a code
 * is used up; the caller then rolls back.
 */
export async function reserveCodesAgain(
  { now }: Deps,
  trx: Transaction,
  order: Omit<Use, 'emojis'>,
  uses: readonly { code_id: string; emojis: number }[],
): Promise<boolean> {
  for (const { code_id, emojis } of uses) {
    const code = await codes.findToChange(trx, code_id)
    if (!code || (await findReachedLimit(trx, code, { ...order, emojis }))) return false
    const use = { ...order, code_id, emojis, counted_at: null, created_at: now() }
    await codes.insertUse(trx, use)
  }
  return true
}

/** For an order that was abandoned or lapsed. */
export const releaseCodes = async (trx: Transaction, order_id: string) =>
  void (await codes.removeReserved(trx, order_id))

/** For a paid order: its reserved uses become permanent. */
export const countCodes = async ({ now }: Deps, trx: Transaction, order_id: string) =>
  void (await codes.countReserved(trx, order_id, now()))
