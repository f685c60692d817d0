import type { Transaction } from '../../../tables.ts'
import type { LinkData, NoticeEvent } from '../links/links.ts'
import type { Deps } from './accounts.ts'
import { findFormerEmails, type Reader } from './former-mailboxes.ts'
import { securityNotice } from './mails.ts'
import { loadAccountToChange } from './read-accounts.ts'
import type { User } from './repository.ts'
import * as rules from './rules.ts'

/**
 * A mailbox for a notice. `until`: a former mailbox keeps its remedies that long. Its notices are
 * shown to no account, since the one to the present mailbox is already.
 */
type Addressee = { to: string; user_id: string | null; until?: Date }

/**
 * The mailboxes for a notice: the present one, and former ones that still have their remedies. A
 * rate limit applies to an unconfirmed one: it may be a stranger's.
 */
export async function mailboxesFor(
  deps: Deps,
  trx: Transaction,
  user: User & Reader,
): Promise<Addressee[]> {
  const { notifications } = deps
  const { id, email, email_verified_at } = user
  if (!email) return []
  const present = { to: email, user_id: id }
  if (!email_verified_at) {
    return (await notifications.countUnconfirmedNotice(trx, email)) ? [present] : []
  }
  const former = await findFormerEmails(deps, user, trx)
  return [present, ...former.map(({ email: to, until }) => ({ to, user_id: null, until }))]
}

/**
 * The mailboxes for a notice about the user's own action. Refuses the action if the limit would drop
 * the notice: a thief could otherwise use up the limit first and act unnoticed.
 */
export async function mailboxesForOwn(deps: Deps, trx: Transaction, user: User & Reader) {
  const mailboxes = await mailboxesFor(deps, trx, user)
  if (user.email && mailboxes.length === 0) throw rules.tooManyNotices()
  return mailboxes
}

export async function notifyAccount(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
  page = '/account/security',
) {
  const { notifications } = deps
  const letter = securityNotice(title, sentence)
  for (const { to, user_id } of await mailboxesFor(deps, trx, user)) {
    await notifications.queueMail(trx, { to, user_id, kind: 'security_notice', page, letter })
  }
}

/** Sends a notice with a "this was not me" link. Refuses the action if the limit would drop it. */
export async function notifyOwner(
  deps: Deps,
  trx: Transaction,
  user: User,
  title: string,
  sentence: string,
  about: LinkData & { event: NoticeEvent },
) {
  const { links, authUrl, notifications } = deps
  const page = rules.noticePage(about)
  for (const { to, user_id } of await mailboxesForOwn(deps, trx, user)) {
    const { token } = await links.issueLink(trx, 'not_me', user.id, { ...about, email: to })
    const letter = securityNotice(title, sentence, `${authUrl}/not_me?token=${token}`)
    await notifications.queueMail(trx, { to, user_id, kind: 'security_notice', page, letter })
  }
}

/** Runs before a key is added: the link removes keys that are newer than itself. */
export async function notifyOfKey(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  sentence: string,
): Promise<void> {
  const user = await loadAccountToChange(trx, user_id)
  await notifyOwner(deps, trx, user, 'A public key was added', sentence, { event: 'pubkey' })
}
