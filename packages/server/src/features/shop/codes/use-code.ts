import type { Transaction } from '../../../tables.ts'
import { redemptionSubject } from '../../identity/throttle/index.ts'
import type { Deps } from './deps.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'
import type { Code } from './table.ts'

/** A code on an order, for so many of its ids. */
type Use = { order_id: string; user_id: string; emojis: number }

/**
 * Around the transaction in which a code is reserved or activated: whoever was wrong too
 * often waits. Never inside a transaction, which would hold a connection and wait for another.
 */
export async function countAttempt<Result>(
  { throttle }: Deps,
  user_id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const subject = redemptionSubject(user_id)
  await throttle.countAttempt(subject)
  let isWrong = false
  try {
    return await work()
  } catch (error) {
    isWrong = error instanceof rules.InvalidCodeError
    throw error
  } finally {
    // What has happened is not undone by a count that stays one too high.
    if (!isWrong) await throttle.takeBackAttempt(subject).catch(() => {})
  }
}

/** Takes a use for this order, until it is released or counted, and tells what it takes off. */
export async function reserveCode(
  { now }: Deps,
  trx: Transaction,
  wanted: { code: string } | { code_id: string },
  cart: rules.Cart,
): Promise<{ code: Code; discounts: rules.Discount[] }> {
  const { order_id, user_id, items } = cart
  const code = await findUsable(trx, wanted)
  if (!rules.isInForce(code, now())) throw new rules.InvalidCodeError()
  if (!rules.isForOrganization(code, cart)) throw new rules.InvalidCodeError()
  const emojis = rules.fittingItems(code, items).length
  const limit = await limitReached(trx, code, { order_id, user_id, emojis })
  if (limit === 'uses') throw new rules.InvalidCodeError()
  if (limit === 'emojis') throw rules.tooManyEmojis(code.max_emojis_per_user ?? 0)
  if (emojis === 0) throw rules.doesNotFit()
  const others = await codes.findOnOrder(trx, order_id)
  if (others.some(({ id }) => id === code.id)) throw rules.alreadyOnCart()
  rules.assertCombinable(code, others)
  const use = { code_id: code.id, order_id, user_id, emojis, counted_at: null }
  if (!(await codes.insertUse(trx, { ...use, created_at: now() }))) {
    throw rules.alreadyOnCart()
  }
  return { code, discounts: rules.discountsOf(code, items) }
}

/** Those of these codes that an order could be given now, one after the other. */
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

/**
 * For money that came after its uses were released, and still is enough: they count again.
 * Tells `false` when a code is used up, and the rest is to be undone.
 */
export async function reserveCodesAgain(
  { now }: Deps,
  trx: Transaction,
  order: Omit<Use, 'emojis'>,
  uses: readonly { code_id: string; emojis: number }[],
): Promise<boolean> {
  for (const { code_id, emojis } of uses) {
    const code = await codes.findToChange(trx, code_id)
    if (!code || (await limitReached(trx, code, { ...order, emojis }))) return false
    const use = { ...order, code_id, emojis, counted_at: null, created_at: now() }
    await codes.insertUse(trx, use)
  }
  return true
}

/** The order was given up, or lapsed: its uses are for others again. */
export const releaseCodes = async (trx: Transaction, order_id: string) =>
  void (await codes.removeReserved(trx, order_id))

/** The order is paid: its uses are used up. */
export const countCodes = async ({ now }: Deps, trx: Transaction, order_id: string) =>
  void (await codes.countReserved(trx, order_id, now()))

/** The code that somebody typed, or has activated, locked until the transaction ends. */
async function findUsable(trx: Transaction, wanted: { code: string } | { code_id: string }) {
  if ('code_id' in wanted) return codes.findToChange(trx, wanted.code_id)
  const typed = rules.readTyped(wanted.code)
  return typed === undefined ? undefined : codes.findTypedToChange(trx, typed)
}

/** What keeps a code, which is locked, from one more use. */
async function limitReached(trx: Transaction, code: Code, { order_id, user_id, emojis }: Use) {
  const { id, max_uses, max_emojis_per_user } = code
  if (max_uses !== null && (await codes.countOthers(trx, id, order_id)) >= max_uses) return 'uses'
  if (max_emojis_per_user === null) return undefined
  const before = await codes.sumEmojis(trx, id, order_id, user_id)
  return before + emojis > max_emojis_per_user ? 'emojis' : undefined
}
