import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Deps } from './deps.ts'
import { followLink } from './follow-link.ts'
import { mailTask } from './mail-link.ts'
import * as rules from './rules.ts'

/** Removes everything that a stranger set up who registered this mailbox. */
export async function disownAccount(deps: Deps, token: string): Promise<void> {
  const { db, accounts, audit } = deps
  await transact(db, async (trx) => {
    const { user } = await followLink(deps, trx, 'confirm_email', token)
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
 * a password reset.
 */
export async function disavowNotice(deps: Deps, token: string): Promise<{ hadPassword: boolean }> {
  const { db, accounts, audit, now } = deps
  return transact(db, async (trx) => {
    const { link, user } = await followLink(deps, trx, 'not_me', token)
    const { told: event, ...about } = link.data
    if (!event) throw rules.expiredLink()
    const { created_at: since } = link
    await accounts.revokeAccess(trx, user.id, { since, notice: { ...about, event, at: since } })
    await audit.writeEntry(trx, 'access.revoked', { subject_id: user.id, details: { told: event } })
    const hadPassword = user.password_hash !== null
    if (hadPassword) {
      // The owner of a confirmed mailbox has opened the link, so a later claim removes nothing else.
      const claimed_at = user.claimed_at ?? (user.email_verified_at ? now() : null)
      await accounts.changeAccount(trx, user.id, { password_hash: null, claimed_at })
      await addJob(trx, mailTask, { kind: 'reset_password', user_id: user.id })
    }
    return { hadPassword }
  })
}
