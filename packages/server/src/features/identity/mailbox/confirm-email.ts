import { transact } from '../../../platform/database/database.ts'
import { isDuplicate } from '../../../platform/database/faults.ts'
import type { Deps } from './deps.ts'
import { followLink } from './follow-link.ts'
import * as rules from './rules.ts'

/** Returns the account and the page of the web site to continue at. */
export async function confirmEmail(
  deps: Deps,
  token: string,
): Promise<{ user_id: string; redirect: string | undefined }> {
  const { db, accounts, now, audit } = deps
  return transact(db, async (trx) => {
    const { link, user } = await followLink(deps, trx, 'confirm_email', token)
    await accounts.changeAccount(trx, user.id, {
      email_verified_at: user.email_verified_at ?? now(),
    })
    await audit.writeEntry(trx, 'email.confirmed', { actor_id: user.id })
    return { user_id: user.id, redirect: link.data.redirect }
  })
}

export async function changeEmail(
  deps: Deps,
  token: string,
): Promise<{ email: string; isFirst: boolean }> {
  const { db, accounts, now, links, audit, notifications } = deps
  return transact(db, async (trx) => {
    const { link, user } = await followLink(deps, trx, 'change_email', token)
    const email = link.data.email ?? ''
    const holder = await accounts.findByEmail(email, trx)
    if (!email || (holder && holder.id !== user.id)) throw rules.expiredLink()
    const at = now()
    const change = { email, email_verified_at: at, claimed_at: at }
    await accounts.changeAccount(trx, user.id, change).catch((error) => {
      throw isDuplicate(error) ? rules.expiredLink() : error
    })
    const isFirst = user.email === null
    // Void the links in the old mailbox.
    await links.voidLinks(trx, user.id, ['undo_records', 'not_me', 'cancel_change', 'keep_delay'])
    await accounts.revokeAccess(trx, user.id, {
      // A new mailbox does not prove who added wallets and keys, so remove all of them.
      since: isFirst ? at : null,
      isNewMailbox: true,
      // A first address does not change the owner, and a partner's flow needs the session.
      keepsSessions: isFirst,
    })
    await audit.writeEntry(trx, 'email.changed', { actor_id: user.id })
    if (user.email) {
      const template = 'email_changed_notice'
      await notifications.queueMail(trx, { to: user.email, template, params: {} })
    }
    return { email, isFirst }
  })
}
