import type { Transaction } from '../../../tables.ts'
import type { Deps } from './codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import { hmacsOf } from './seal-code.ts'

/** A code by the text that a buyer typed, or by its id. */
export type WantedCode = { code: string } | { code_id: string }

/** A use of a code: the order, and the number of its ids. */
export type Use = { order_id: string; user_id: string; emojis: number }

/** Locks a promo code and checks that this cart may use it; throws otherwise. */
export async function checkCode(
  deps: Deps,
  trx: Transaction,
  codeInput: WantedCode,
  cart: rules.Cart,
): Promise<{ code: Code; emojis: number }> {
  const { now } = deps
  const { order_id, user_id, items } = cart
  const code = await findToUse(deps, trx, codeInput)
  if (!rules.isInForce(code, now())) throw new rules.InvalidCodeError()
  if (!rules.isForOrganization(code, cart)) throw new rules.InvalidCodeError()
  const emojis = rules.fittingItems(code, items).length
  const limit = await findReachedLimit(trx, code, { order_id, user_id, emojis })
  if (limit === 'uses') throw new rules.InvalidCodeError()
  if (limit === 'emojis') throw rules.tooManyEmojis(code.max_emojis_per_user ?? 0)
  if (emojis === 0) throw rules.doesNotFit()
  const others = await codes.findOnOrder(trx, order_id)
  if (others.some(({ id }) => id === code.id)) throw rules.alreadyOnCart()
  rules.assertCombinable(code, others)
  return { code, emojis }
}

/** The codes that a new order could use now, checked one after the other. */
export async function findUsableCodes(
  { now }: Deps,
  trx: Transaction,
  code_ids: readonly string[],
  cart: Pick<rules.Cart, 'organization_id'>,
): Promise<Code[]> {
  const usable: Code[] = []
  for (const code_id of code_ids) {
    const code = await codes.find(trx, code_id)
    if (!rules.isInForce(code, now()) || !rules.isForOrganization(code, cart)) continue
    if (rules.isCombinable(code, usable)) usable.push(code)
  }
  return usable
}

/** The limit that one more use of a locked code would exceed. */
export async function findReachedLimit(
  trx: Transaction,
  code: Code,
  { order_id, user_id, emojis }: Use,
) {
  const { id, max_uses, max_emojis_per_user } = code
  if (max_uses !== null && (await codes.countOthers(trx, id, order_id)) >= max_uses) return 'uses'
  if (max_emojis_per_user === null) return undefined
  const before = await codes.sumEmojis(trx, id, order_id, user_id)
  return before + emojis > max_emojis_per_user ? 'emojis' : undefined
}

async function findToUse(deps: Deps, trx: Transaction, codeInput: WantedCode) {
  if ('code_id' in codeInput) return codes.findToChange(trx, codeInput.code_id)
  const typedText = rules.readTyped(codeInput.code)
  if (typedText === undefined) return undefined
  return codes.findTypedToChange(trx, hmacsOf(deps, typedText))
}
