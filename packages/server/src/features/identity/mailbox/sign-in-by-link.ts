import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import type { Link } from '../links/links.ts'
import { claimAccount, takeEmailedLink } from './follow-link.ts'
import type { Deps } from './mailbox.ts'
import * as rules from './rules.ts'

/** Signs in at the authorization site, for an application. */
export async function signInToSite<Opened>(
  deps: Deps,
  token: string,
  open: (trx: Transaction, user: User) => Promise<Opened>,
) {
  const { db } = deps
  return transact(db, async (trx) => open(trx, (await enterAccount(deps, trx, token)).user))
}

/** Returns the token of the next step, in which the user may set a first password. */
export async function signInByLink(deps: Deps, token: string): Promise<string> {
  const { db } = deps
  return transact(db, async (trx) => {
    const { link, claimed_epoch } = await enterAccount(deps, trx, token)
    return offerPassword(deps, trx, link, claimed_epoch)
  })
}

/** Issues the link of the step after a sign-in by an emailed link. */
export async function offerPassword(
  { now, links }: Deps,
  trx: Transaction,
  { user_id, data: { redirect } }: Link,
  claimed_epoch: number | undefined,
): Promise<string> {
  const data = {
    linked_at: now().toISOString(),
    ...(redirect ? { redirect } : {}),
    ...(claimed_epoch === undefined ? {} : { claimed_epoch }),
  }
  return (await links.issueLink(trx, 'first_password', user_id, data)).token
}

async function enterAccount(deps: Deps, trx: Transaction, token: string) {
  const { audit } = deps
  const followed = await takeEmailedLink(deps, trx, 'magic_link', token)
  if (followed.user.password_hash !== null) throw rules.expiredLink()
  const claimed_epoch = await claimAccount(deps, trx, followed.user)
  await audit.writeEntry(trx, 'login.link', { actor_id: followed.user.id })
  return { ...followed, claimed_epoch }
}
