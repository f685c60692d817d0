import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import { emailedView, type Link, type LinkPurpose } from '../links/links.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Refuses a link that was emailed to a former address. */
export async function takeEmailedLink(
  { accounts }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  const followed = await accounts.takeLink(trx, purpose, token)
  if (!followed) throw rules.expiredLink()
  const { email } = followed.link.data
  const isSameAddress = email?.toLowerCase() === followed.user.email?.toLowerCase()
  if (purpose !== 'change_email' && email && !isSameAddress) throw rules.expiredLink()
  return followed
}

/**
 * On the first visit of the mailbox's owner: removes access that a stranger set up. Returns the
 * revoked epoch, if there is one.
 */
export async function claimAccount(
  { now, accounts, audit, links }: Deps,
  trx: Transaction,
  user: User,
): Promise<number | undefined> {
  const at = now()
  // A confirmed address with a password belongs to the owner: keep the earlier access.
  const isProven = user.email_verified_at !== null && user.password_hash !== null
  const isFirst = user.claimed_at === null && !isProven
  if (isFirst) {
    await accounts.disownAccount(trx, user.id)
    await audit.writeEntry(trx, 'account.claimed', { actor_id: user.id })
  }
  // The address is confirmed now, so void the older links for that.
  await links.voidLinks(trx, user.id, ['confirm_email'])
  await accounts.changeAccount(trx, user.id, {
    claimed_at: user.claimed_at ?? at,
    email_verified_at: user.email_verified_at ?? at,
  })
  return isFirst ? user.epoch : undefined
}

/** The URL at the web site, with a code that the site exchanges for tokens. */
export async function toWebAddress(
  { links, webUrl }: Deps,
  trx: Transaction,
  link: Link,
  start: string,
) {
  const { redirect = start, linked_at, claimed_epoch } = link.data
  const data = {
    ...(linked_at ? { linked_at } : {}),
    ...(claimed_epoch === undefined ? {} : { claimed_epoch }),
  }
  const { token } = await links.issueLink(trx, 'exchange', link.user_id, data)
  return rules.withCode(`${webUrl}${emailedView(redirect) ?? '/'}`, token)
}
