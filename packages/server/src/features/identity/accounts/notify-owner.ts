import type { Transaction } from '../../../tables.ts'
import type { LinkData, NoticeEvent } from '../links/index.ts'
import type { Deps } from './deps.ts'
import { loadAccountToChange } from './read-accounts.ts'
import * as rules from './rules.ts'
import type { User } from './table.ts'

/** The mailbox for a notice. A rate limit applies to an unconfirmed one: it may be a stranger's. */
export async function mailboxFor(
  { notifications }: Deps,
  trx: Transaction,
  { email, email_verified_at }: User,
) {
  if (!email || email_verified_at) return email
  return (await notifications.countUnconfirmedNotice(trx, email)) ? email : null
}

/**
 * The mailbox for a notice about the user's own action. Refuses the action if the limit would drop
 * the notice: a thief could otherwise use up the limit first and act unnoticed.
 */
export async function mailboxForOwn(deps: Deps, trx: Transaction, user: User) {
  const to = await mailboxFor(deps, trx, user)
  if (user.email && !to) throw rules.tooManyNotices()
  return to
}

export async function notifyAccount(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
  page?: string,
) {
  const { notifications } = deps
  const to = await mailboxFor(deps, trx, user)
  if (!to) return
  const reader = { user_id: user.id, ...(page ? { page } : {}) }
  const params = { title, sentence }
  await notifications.queueMail(trx, { to, template: 'security_notice', params, ...reader })
}

/** Sends a notice with a "this was not me" link. Refuses the action if the limit would drop it. */
export async function notifyOwner(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
  about: LinkData & { told: NoticeEvent },
) {
  const { links, authUrl, notifications } = deps
  const to = await mailboxForOwn(deps, trx, user)
  if (!to) return
  const { token } = await links.issueLink(trx, 'not_me', user.id, about)
  const params = { title, sentence, not_me: `${authUrl}/not_me?token=${token}` }
  const reader = { user_id: user.id, page: rules.noticePage(about) }
  await notifications.queueMail(trx, { to, template: 'security_notice', params, ...reader })
}

/** Runs before a key is added: the link removes keys that are newer than itself. */
export async function notifyOfKey(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  sentence: string,
): Promise<void> {
  const user = await loadAccountToChange(trx, user_id)
  await notifyOwner(deps, trx, user, 'A public key was added', sentence, { told: 'pubkey' })
}
