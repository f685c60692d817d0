import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as links from './repository.ts'
import * as rules from './rules.ts'

/**
 * The mailboxes that the account left a short time ago, the earliest first. Each keeps its remedies
 * until then. The link that takes its change of the address back is the record of it.
 */
export const findFormerMailboxes = async (
  { db, now }: Deps,
  user_id: string,
  from: Database | Transaction = db,
): Promise<rules.FormerMailbox[]> =>
  rules.joinMailboxes(await links.findFormer(from, user_id, now()))

/**
 * Locks the addresses, so that none of them is registered while an account leaves it. Returns
 * whether another account left the first one and could still take it back.
 */
export async function isReserved(
  { now }: Deps,
  trx: Database | Transaction,
  email: string,
  { user_id, leaves }: { user_id?: string | undefined; leaves?: string | null } = {},
): Promise<boolean> {
  for (const address of [email, ...(leaves ? [leaves] : [])].sort()) {
    await links.lockMailbox(trx, address)
  }
  const former = await links.findFormerlyOf(trx, email, now())
  return former !== undefined && former.user_id !== user_id
}

/** The remedies of a mailbox that are still valid stay valid until then. */
export const keepRemedies = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  email: string,
  until: Date,
) => links.extend(trx, user_id, rules.remedies, email, { at: now(), until })

export const voidRemedies = ({ now }: Deps, trx: Transaction, user_id: string) =>
  links.useAll(trx, user_id, rules.remedies, now())

/** Voids the remedies of the mailboxes that came after this one. */
export async function voidLaterRemedies(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  { email, since }: Pick<rules.FormerMailbox, 'email' | 'since'>,
): Promise<void> {
  const former = await findFormerMailboxes(deps, user_id, trx)
  const earlier = former.filter((one) => one.since < since)
  const kept = [email, ...earlier.map((one) => one.email)]
  await links.useOfOthers(trx, user_id, rules.remedies, kept, deps.now())
}

/** Uses every notice that the mailbox got since it was left. */
export const useNotices = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  former: rules.FormerMailbox,
) => links.useNotices(trx, user_id, former, now())
