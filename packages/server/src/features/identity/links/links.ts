import { bindUseCases } from '../../../platform/bind.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { LinkData, LinkPurpose } from './repository.ts'
import * as links from './repository.ts'
import * as rules from './rules.ts'

export { emailedView, readRedirect } from './redirects.ts'
export { type LinkData, type LinkPurpose, type NoticeEvent, selectFormer } from './repository.ts'
export { type FormerMailbox, joinMailboxes } from './rules.ts'

export type Deps = { db: Database; now: () => Date; magicLinkMs: number }

export type Links = ReturnType<typeof createLinks>

/** One-time tokens: issue, peek, use once. */
export function createLinks(deps: Deps) {
  return {
    ...bindUseCases(deps, {
      issueLink,
      peekLink,
      findOpenLink,
      useLink,
      voidLinks,
      voidGiftLinks,
      voidAllLinks,
      findFormerMailboxes,
      isReserved,
      keepRemedies,
      useNotices,
      voidLaterRemedies,
      voidRemedies,
    }),
    countIssuedSince: (trx: Transaction, purpose: LinkPurpose, user_id: string, since: Date) =>
      links.countSince(trx, user_id, purpose, since),
    countIssuedTo: links.countTo,
    /** Links hold mail addresses, so the deletion of an account removes them. */
    removeLinks: links.removeAll,
  }
}

/**
 * Issues a token; voids the user's older tokens of the same purpose. It is valid until `until`, if
 * that is later than usual.
 */
async function issueLink(
  { now, magicLinkMs }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  user_id: string,
  data: LinkData = {},
  until?: Date | undefined,
) {
  const token = rules.makeToken()
  const at = now()
  const ms = Math.max(
    rules.lifetimeOf(purpose, magicLinkMs),
    (until?.getTime() ?? 0) - at.getTime(),
  )
  if (!rules.mayHaveSeveral(purpose)) await links.useAll(trx, user_id, [purpose], at)
  await links.insert(trx, {
    token_sha256: sha256(token),
    purpose,
    user_id,
    data: JSON.stringify(data),
    created_at: at,
    expires_at: new Date(at.getTime() + ms),
    used_at: null,
  })
  return { token, valid_minutes: Math.max(1, Math.round(ms / minuteMs)) }
}

export type Link = { user_id: string; data: LinkData; created_at: Date }

async function peekLink(
  { db, now }: Deps,
  purpose: LinkPurpose,
  token: string,
  from: Database = db,
): Promise<Link | undefined> {
  return rules.isToken(token) ? links.find(from, sha256(token), purpose, now()) : undefined
}

/** The newest link of a user that still works. */
const findOpenLink = (
  { db, now }: Deps,
  purpose: LinkPurpose,
  user_id: string,
  from: Database = db,
): Promise<Link | undefined> => links.findOpen(from, user_id, purpose, now())

async function useLink(
  { now }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
): Promise<Link | undefined> {
  return rules.isToken(token) ? links.use(trx, sha256(token), purpose, now()) : undefined
}

const voidLinks = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  purposes: readonly LinkPurpose[],
) => links.useAll(trx, user_id, purposes, now())

/** Voids the older gift links of a user to a transfer. */
const voidGiftLinks = ({ now }: Deps, trx: Transaction, user_id: string, transfer_id: string) =>
  links.useOfTransfer(trx, user_id, transfer_id, now())

/** Voids the links of every purpose. */
const voidAllLinks = ({ now }: Deps, trx: Transaction, user_id: string) =>
  links.useEvery(trx, user_id, now())

/**
 * The mailboxes that the account left a short time ago, the earliest first. Each keeps its remedies
 * until then. The link that takes its change of the address back is the record of it.
 */
const findFormerMailboxes = async (
  { db, now }: Deps,
  user_id: string,
  from: Database = db,
): Promise<rules.FormerMailbox[]> =>
  rules.joinMailboxes(await links.findFormer(from, user_id, now()))

/**
 * Locks the addresses, so that none of them is registered while an account leaves it. Returns
 * whether another account left the first one and could still take it back.
 */
async function isReserved(
  { now }: Deps,
  trx: Database,
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
const keepRemedies = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  email: string,
  until: Date,
) => links.extend(trx, user_id, rules.remedies, email, { at: now(), until })

/** Uses every notice that the mailbox got since it was left. */
const useNotices = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  former: rules.FormerMailbox,
) => links.useNotices(trx, user_id, former, now())

/** Voids the remedies of the mailboxes that came after this one. */
async function voidLaterRemedies(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  { email, since }: Pick<rules.FormerMailbox, 'email' | 'since'>,
): Promise<void> {
  const former = await findFormerMailboxes(deps, user_id, trx)
  const earlier = former.filter((one) => one.since < since)
  const emails = [email, ...earlier.map((one) => one.email)]
  await links.useOfOthers(trx, user_id, rules.remedies, emails, deps.now())
}

const voidRemedies = ({ now }: Deps, trx: Transaction, user_id: string) =>
  links.useAll(trx, user_id, rules.remedies, now())

export const purgeLinks = (db: Database, at: Date) =>
  links.deleteExpiredBefore(db, new Date(at.getTime() - dayMs))
