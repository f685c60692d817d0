import { transact } from '../../../platform/database/database.ts'
import { claimAccount, takeEmailedLink } from './follow-link.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Revokes all access. The next sign-in still requires the second factor. */
export async function resetPassword(deps: Deps, token: string, password: string): Promise<void> {
  const { links, accounts, db, audit } = deps
  const unusedLink = await links.peekLink('reset_password', token)
  if (!unusedLink) throw rules.expiredLink()
  const hash = await accounts.hashAcceptablePassword(
    password,
    await accounts.loadAccount(unusedLink.user_id),
  )
  await transact(db, async (trx) => {
    const { user } = await takeEmailedLink(deps, trx, 'reset_password', token)
    await claimAccount(deps, trx, user)
    await accounts.setPassword(trx, user, hash)
    const { email_verified_at: since } = user
    await accounts.revokeAccess(trx, user.id, { since })
    await audit.writeEntry(trx, 'password.reset', { actor_id: user.id })
    await accounts.notifyAccount(trx, user, 'Your password was changed', rules.resetSentence(since))
  })
}
