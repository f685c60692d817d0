import { toMinuteText } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { FormerMailbox } from '../links/links.ts'
import type { Deps } from './accounts.ts'
import { emailChanged, securityNotice } from './mails.ts'
import type { User } from './repository.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'

/**
 * Records that the account left a confirmed mailbox: until the wait is over, that mailbox gets the
 * notices too, its links work, and it can take the change back. So a thief who changes the address
 * does not stop the owner from objecting to what follows.
 */
export async function keepFormerMailbox(
  { now, links, authUrl, notifications }: Deps,
  trx: Transaction,
  user_id: string,
  email: string,
) {
  const until = rules.formerMailboxEnd(now())
  await links.keepRemedies(trx, user_id, email, until)
  const { token } = await links.issueLink(trx, 'not_me', user_id, { event: 'email', email }, until)
  await notifications.queueMail(trx, {
    to: email,
    user_id,
    kind: 'email_changed_notice',
    page: '/account/profile',
    letter: emailChanged({
      not_me: `${authUrl}/not_me?token=${token}`,
      until: toMinuteText(until),
    }),
  })
}

/** A reader of notices; `findAccounts` has read the former mailboxes. */
export type Reader = Pick<User, 'id' | 'email'> & { former?: readonly FormerMailbox[] }

/** The former addresses that still have their remedies. */
export async function findFormerEmails(
  { db, links }: Deps,
  { id, email: present, former }: Reader,
  from: Database = db,
): Promise<{ email: string; until: Date }[]> {
  const mailboxes = former ?? (await links.findFormerMailboxes(id, from))
  return mailboxes
    .filter(({ email }) => email.toLowerCase() !== present?.toLowerCase())
    .map(({ email, until }) => ({ email, until }))
}

/** Gives the account back to a former mailbox. Those that came later lose their remedies. */
export async function returnToMailbox(
  { now, links, notifications, audit, appealsEmail }: Deps,
  trx: Transaction,
  user: User,
  former: FormerMailbox,
) {
  const { id, email: left } = user
  const at = now()
  await links.voidLaterRemedies(trx, id, former)
  const change = { email: former.email, email_verified_at: at, updated_at: at }
  await users.update(trx, id, change)
  await audit.writeEntry(trx, 'email.taken_back', { subject_id: id })
  if (left === null) return
  const title = 'Your email address was removed from an account'
  const letter = securityNotice(title, rules.takenBackSentence(appealsEmail))
  await notifications.queueMail(trx, { to: left, kind: 'security_notice', silent: true, letter })
}

/**
 * Refuses what cannot be undone while a former mailbox could still take the account back. A thief
 * who changed the address receives the code of a transfer.
 */
export async function assertSettledMailbox(
  deps: Deps,
  trx: Transaction,
  user_id: string,
): Promise<void> {
  const until = await findUnsettledUntil(deps, user_id, trx)
  if (until) throw rules.recentChange(until)
}

/** Until when a former mailbox could still take the account back; undefined if none can. */
export async function findUnsettledUntil(
  deps: Deps,
  user_id: string,
  from: Database = deps.db,
): Promise<Date | undefined> {
  const user = await users.find(from, user_id)
  const former = user ? await findFormerEmails(deps, user, from) : []
  const ends = former.map(({ until }) => until.getTime())
  return ends.length > 0 ? new Date(Math.max(...ends)) : undefined
}
