import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Link, LinkPurpose } from '../links/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** Refuses a link that does not fit the account any more. */
export async function followLink(
  { accounts }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  const found = await accounts.followLink(trx, purpose, token)
  if (!found) throw rules.linkGone()
  const { email } = found.link.data
  const isSameAddress = email?.toLowerCase() === found.user.email?.toLowerCase()
  if (purpose !== 'change_email' && email && !isSameAddress) throw rules.linkGone()
  return found
}

/**
 * The owner of the mailbox is here for the first time: access that a stranger set up is dropped.
 */
export async function claimAccount(
  { now, accounts, audit, links }: Deps,
  trx: Transaction,
  user: User,
) {
  const at = now()
  // A confirmed address whose account has a password keeps what was made before.
  const isProven = user.email_verified_at !== null && user.password_hash !== null
  if (user.claimed_at === null && !isProven) {
    await accounts.disownAccount(trx, user.id)
    await audit.writeEntry(trx, 'account.claimed', { actor_id: user.id })
  }
  // The address is confirmed, so older links for that are void.
  await links.voidLinks(trx, user.id, ['confirm_email'])
  await accounts.changeAccount(trx, user.id, {
    claimed_at: user.claimed_at ?? at,
    email_verified_at: user.email_verified_at ?? at,
  })
}

/** The address at the web site, with a code that the site exchanges for tokens. */
export async function toWebAddress(
  { links, webUrl }: Deps,
  trx: Transaction,
  link: Link,
  start: string,
) {
  const { redirect = start, linked_at } = link.data
  const data = linked_at ? { linked_at } : {}
  const { token } = await links.issueLink(trx, 'exchange', link.user_id, data)
  return rules.withCode(`${webUrl}${rules.isOwnView(redirect) ? redirect : '/'}`, token)
}
