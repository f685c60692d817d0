import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Database } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import type { FormerMailbox, Link, NoticeEvent } from '../links/links.ts'
import { takeEmailedLink } from './follow-link.ts'
import { mailTask } from './mail-link.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Removes everything that a stranger set up who registered this mailbox. */
export async function disownAccount(deps: Deps, token: string): Promise<void> {
  const { db, accounts, audit } = deps
  await transact(db, async (trx) => {
    const { user } = await takeEmailedLink(deps, trx, 'confirm_email', token)
    await accounts.disownAccount(trx, user.id)
    await accounts.changeAccount(trx, user.id, {
      password_hash: null,
      email_verified_at: null,
      claimed_at: null,
      first_name: null,
      last_name: null,
      source: null,
    })
    await audit.writeEntry(trx, 'account.disowned', { subject_id: user.id })
  })
}

/**
 * "This was not me": revokes all access, removes the password, which the intruder may know, and mails
 * a password reset. A former mailbox gets the account back, and disavows everything of which it was
 * notified since the account left it.
 */
export async function disavowNotice(
  deps: Deps,
  token: string,
): Promise<{ event: NoticeEvent; hadPassword: boolean; restored: string | undefined }> {
  const { db, accounts, links, audit, now } = deps
  return transact(db, async (trx) => {
    const link = await links.peekLink('not_me', token, trx)
    const user = link && (await accounts.findAccountToChange(trx, link.user_id))
    // Read before the link is used: it may be the one that records the change.
    const former = user && (await findFormerReader(deps, link, user, trx))
    if (!user || !(await accounts.takeLink(trx, 'not_me', token))) throw rules.expiredLink()
    const more = former ? await links.useNotices(trx, user.id, former) : []
    const notices = [link, ...more].flatMap(rules.toNotice).sort((a, b) => +a.at - +b.at)
    const [oldest] = notices
    if (!oldest || !link.data.event) throw rules.expiredLink()
    if (former) await accounts.returnToMailbox(trx, user, former)
    await accounts.revokeAccess(trx, user.id, {
      since: oldest.at,
      notices,
      ...(former ? { isNewMailbox: true } : {}),
    })
    const { event } = link.data
    await audit.writeEntry(trx, 'access.revoked', {
      subject_id: user.id,
      details: { notice: event },
    })
    const hadPassword = user.password_hash !== null
    if (hadPassword) {
      // The owner of a confirmed mailbox has opened the link, so a later claim removes nothing else.
      const claimed_at = user.claimed_at ?? (user.email_verified_at ? now() : null)
      await accounts.changeAccount(trx, user.id, { password_hash: null, claimed_at })
      await addJob(trx, mailTask, { kind: 'reset_password', user_id: user.id })
    }
    return { event, hadPassword, restored: former?.email }
  })
}

/**
 * The former mailbox to which a notice was sent; undefined for the present one. Refuses a former
 * mailbox whose time is over.
 */
export async function findFormerReader(
  { db, links }: Deps,
  { data }: Link,
  user: User,
  from: Database = db,
): Promise<FormerMailbox | undefined> {
  const reader = data.email?.toLowerCase()
  if (reader === undefined || reader === user.email?.toLowerCase()) return undefined
  const mailboxes = await links.findFormerMailboxes(user.id, from)
  const former = mailboxes.find(({ email }) => email.toLowerCase() === reader)
  if (!former) throw rules.expiredLink()
  return former
}
