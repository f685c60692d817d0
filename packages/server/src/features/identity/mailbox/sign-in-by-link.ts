import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import { claimAccount, followLink } from './follow-link.ts'
import * as rules from './rules.ts'

/** For a sign-in link that was opened at an application. */
export async function signInToSite<Opened>(
  deps: Deps,
  token: string,
  open: (trx: Transaction, user: User) => Promise<Opened>,
) {
  const { db } = deps
  return transact(db, async (trx) => open(trx, (await enterAccount(deps, trx, token)).user))
}

/** Returns a token with which the same user continues. */
export async function signInByLink(deps: Deps, token: string): Promise<string> {
  const { db, now, links } = deps
  return transact(db, async (trx) => {
    const { link, user } = await enterAccount(deps, trx, token)
    const { redirect } = link.data
    const data = { linked_at: now().toISOString(), ...(redirect ? { redirect } : {}) }
    return (await links.issueLink(trx, 'first_password', user.id, data)).token
  })
}

async function enterAccount(deps: Deps, trx: Transaction, token: string) {
  const { audit } = deps
  const found = await followLink(deps, trx, 'magic_link', token)
  if (found.user.password_hash !== null) throw rules.linkGone()
  await claimAccount(deps, trx, found.user)
  await audit.writeEntry(trx, 'login.link', { actor_id: found.user.id })
  return found
}
