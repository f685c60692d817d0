import type { Transaction } from '../../tables.ts'
import type { LinkData, ToldEvent } from '../links/index.ts'
import type { Deps } from './deps.ts'
import type { User } from './table.ts'

/** Where a notice goes. A mailbox that nobody confirmed may be anybody's, and gets few. */
export async function mailboxFor(
  { notifications }: Deps,
  trx: Transaction,
  { email, email_verified_at }: User,
) {
  if (!email || email_verified_at) return email
  return (await notifications.takeUnconfirmed(trx, email)) ? email : null
}

export async function notifyAccount(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
) {
  const { notifications } = deps
  const to = await mailboxFor(deps, trx, user)
  if (!to) return
  const params = { title, sentence }
  await notifications.queueMail(trx, { to, template: 'security_notice', params })
}

/** The same, with a "this was not me" link. */
export async function notifyOwner(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
  told: LinkData & { told: ToldEvent },
) {
  const { links, authUrl, notifications } = deps
  const to = await mailboxFor(deps, trx, user)
  if (!to) return
  const { token } = await links.issue(trx, 'not_me', user.id, told)
  const params = { title, sentence, not_me: `${authUrl}/not_me?token=${token}` }
  await notifications.queueMail(trx, { to, template: 'security_notice', params })
}
