import { transact } from '../../../platform/database/database.ts'
import type { Deps } from './deps.ts'
import { followLink, toWebAddress } from './follow-link.ts'
import * as rules from './rules.ts'

/** Sets the first password after a sign-in by link. Returns the page to continue at. */
export async function choosePassword(
  deps: Deps,
  token: string,
  password: string,
  start = '/',
): Promise<string> {
  const { links, accounts, db, audit } = deps
  const unused = await links.peekLink('first_password', token)
  if (!unused) throw rules.expiredLink()
  const hash = await accounts.hashAcceptablePassword(
    password,
    await accounts.loadAccount(unused.user_id),
  )
  return transact(db, async (trx) => {
    const { link, user } = await followLink(deps, trx, 'first_password', token)
    if (user.password_hash !== null) throw rules.expiredLink()
    // With a second factor, the mailbox alone does not prove the owner.
    if (user.two_factor_auth.length > 0) throw rules.missingCode()
    await accounts.setPassword(trx, user, hash)
    await audit.writeEntry(trx, 'password.set', { actor_id: user.id })
    await accounts.notifyAccount(trx, user, 'A password was set', rules.passwordSetSentence)
    return toWebAddress(deps, trx, link, start)
  })
}

export async function skipPassword(deps: Deps, token: string, start = '/'): Promise<string> {
  const { db } = deps
  return transact(db, async (trx) =>
    toWebAddress(deps, trx, (await followLink(deps, trx, 'first_password', token)).link, start),
  )
}
