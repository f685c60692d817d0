import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { isUnclaimed, type User } from '../accounts/accounts.ts'
import { claimAccount, takeEmailedLink, toWebAddress } from './follow-link.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Sets the first password after a sign-in by link. Returns the page to continue at. */
export async function choosePassword(
  deps: Deps,
  token: string,
  password: string,
  start = '/',
): Promise<string> {
  const { links, accounts, db, audit } = deps
  const unusedLink = await links.peekLink('first_password', token)
  if (!unusedLink) throw rules.expiredLink()
  const hash = await accounts.hashAcceptablePassword(
    password,
    await accounts.loadAccount(unusedLink.user_id),
  )
  return transact(db, async (trx) => {
    const { link, user } = await takeEmailedLink(deps, trx, 'first_password', token)
    if (user.password_hash !== null) throw rules.expiredLink()
    // With a second factor, the mailbox alone does not prove the owner.
    if (user.two_factor_auth.length > 0) throw rules.missingCode()
    await accounts.setPassword(trx, user, hash)
    await audit.writeEntry(trx, 'password.set', { actor_id: user.id })
    await notifyOfPassword(deps, trx, user)
    return toWebAddress(deps, trx, link, start)
  })
}

/**
 * Sets the first password of an unclaimed account with the link of a gift. The link was emailed, so
 * it claims the account as a sign-in link does.
 */
export async function setPasswordByGift<Result>(
  deps: Deps,
  token: string,
  password: string,
  work: (trx: Transaction, user: User) => Promise<Result>,
): Promise<Result> {
  const { links, accounts, db, audit } = deps
  const unusedLink = await links.peekLink('gift', token)
  if (!unusedLink) throw rules.expiredLink()
  const hash = await accounts.hashAcceptablePassword(
    password,
    await accounts.loadAccount(unusedLink.user_id),
  )
  return transact(db, async (trx) => {
    const { user } = await takeEmailedLink(deps, trx, 'gift', token)
    if (user.password_hash !== null || !isUnclaimed(user)) throw rules.expiredLink()
    // Read under lock: a factor that was enabled meanwhile counts, unless a stranger set it up.
    await claimAccount(deps, trx, user)
    const claimed = await accounts.loadAccountToChange(trx, user.id)
    if (claimed.two_factor_auth.length > 0) throw rules.missingCode()
    await accounts.setPassword(trx, claimed, hash)
    await audit.writeEntry(trx, 'password.set', { actor_id: user.id })
    await notifyOfPassword(deps, trx, claimed)
    return work(trx, claimed)
  })
}

const notifyOfPassword = ({ accounts }: Deps, trx: Transaction, user: User) =>
  accounts.notifyOwner(trx, user, 'A password was set', rules.passwordSetSentence, {
    event: 'password',
  })

export async function skipPassword(deps: Deps, token: string, start = '/'): Promise<string> {
  const { db } = deps
  return transact(db, async (trx) =>
    toWebAddress(
      deps,
      trx,
      (await takeEmailedLink(deps, trx, 'first_password', token)).link,
      start,
    ),
  )
}
