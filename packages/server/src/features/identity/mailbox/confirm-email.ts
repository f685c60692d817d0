import { transact } from '../../../platform/database/database.ts'
import { isDuplicate } from '../../../platform/database/faults.ts'
import type { Transaction } from '../../../tables.ts'
import { emailChanged, type User } from '../accounts/accounts.ts'
import type { Link } from '../links/links.ts'
import { claimAccount, takeEmailedLink } from './follow-link.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'
import { offerPassword } from './sign-in-by-link.ts'

/** Returns the account and the page of the web site to continue at. */
export async function confirmEmail(
  deps: Deps,
  token: string,
): Promise<{ user_id: string; redirect: string | undefined }> {
  return transact(deps.db, async (trx) => {
    const { link, user } = await takeEmailedLink(deps, trx, 'confirm_email', token)
    await confirmMailbox(deps, trx, user)
    return { user_id: user.id, redirect: link.data.redirect }
  })
}

/** The user entered a secret that was emailed to the address of the account. */
export async function confirmMailbox(
  { accounts, now, audit }: Deps,
  trx: Transaction,
  { id, email_verified_at }: User,
): Promise<User> {
  const change = { email_verified_at: email_verified_at ?? now() }
  const confirmed = await accounts.changeAccount(trx, id, change)
  await audit.writeEntry(trx, 'email.confirmed', { actor_id: id })
  return confirmed
}

/**
 * Moves the account to the mailbox of the link. For a first confirmed address, returns the
 * token of the next step of the sign-in.
 */
export async function changeEmail(
  deps: Deps,
  token: string,
): Promise<{ email: string; next: string | undefined }> {
  const { db, accounts, links, now, audit } = deps
  return transact(db, async (trx) => {
    const { link, user } = await takeEmailedLink(deps, trx, 'change_email', token)
    const email = link.data.email ?? ''
    const isReserved = await links.isReserved(trx, email, { user_id: user.id, leaves: user.email })
    const holder = await accounts.findByEmail(email, trx)
    if (!email || isReserved || (holder && holder.id !== user.id)) throw rules.expiredLink()
    const at = now()
    const change = { email, email_verified_at: at, claimed_at: at }
    await accounts.changeAccount(trx, user.id, change).catch((error) => {
      throw isDuplicate(error) ? rules.expiredLink() : error
    })
    await audit.writeEntry(trx, 'email.changed', { actor_id: user.id })
    const isFirst = rules.hasNoMailbox(user)
    if (user.email !== null) await leaveMailbox(deps, trx, { ...user, email: user.email }, email)
    return { email, next: isFirst ? await claimByAddress(deps, trx, user, link) : undefined }
  })
}

/**
 * The first confirmed mailbox of an account. A stranger may have registered the account, with a
 * password and an unconfirmed address, and sent the person here, so all of that goes, as with the first
 * sign-in link.
 */
async function claimByAddress(deps: Deps, trx: Transaction, user: User, link: Link) {
  const claimed_epoch = await claimAccount(deps, trx, user)
  await deps.accounts.changeAccount(trx, user.id, { password_hash: null, password_by_app: false })
  return offerPassword(deps, trx, link, claimed_epoch)
}

/** Revokes the access of the former mailbox. If it was confirmed, it keeps its remedies for a time. */
async function leaveMailbox(
  { accounts, links, notifications }: Deps,
  trx: Transaction,
  user: User & { email: string },
  email: string,
) {
  const { id: user_id, email: left } = user
  const isSame = (address: string) => address.toLowerCase() === email.toLowerCase()
  const returned = (await links.findFormerMailboxes(user_id, trx)).find((one) => isSame(one.email))
  if (rules.hasNoMailbox(user)) {
    // It may be a stranger's.
    await links.voidRemedies(trx, user_id)
    const news = { kind: 'email_changed_notice', page: '/account/profile', letter: emailChanged() }
    await notifications.queueMail(trx, { to: left, user_id, ...news })
  } else if (returned) {
    // A mailbox never has power over an earlier one, whichever way that one came back.
    await accounts.returnToMailbox(trx, user, returned)
  } else await accounts.keepFormerMailbox(trx, user_id, left)
  // A new mailbox does not prove who added wallets and keys, so remove all of them.
  await accounts.revokeAccess(trx, user_id, { since: null, isNewMailbox: true })
}
