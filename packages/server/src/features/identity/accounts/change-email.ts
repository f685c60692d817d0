import { clientOf, networkOf } from '../../../platform/http/network.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import { hourMs } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Deps } from './accounts.ts'
import { newAddressConfirmation } from './mails.ts'
import { notifyAccount } from './notify-owner.ts'
import { isAccountId } from './read-accounts.ts'
import type { User } from './repository.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'

const mailsAtMost = 5

const mailsWithinMs = hourMs

type EmailChange = {
  email: string
  redirect?: string | undefined
  /** The session of the owner who requests the change. */
  session_id?: string | null
}

/** Emails a link to the new address. The address changes when the link is opened. */
export async function requestEmailChange(
  deps: Deps,
  trx: Transaction,
  user: User,
  { email, redirect, session_id }: EmailChange,
) {
  const { now, links, authUrl, notifications } = deps
  assertMailAddress(email)
  const isReserved = await links.isReserved(trx, email, { user_id: user.id })
  if (isReserved || (await users.findByEmail(trx, email))) throw new rules.TakenError('email')
  const former = await links.findFormerMailboxes(user.id, trx)
  if (former.length >= rules.formerMailboxesAtMost) throw rules.tooManyChanges()
  const since = new Date(now().getTime() - mailsWithinMs)
  const [byUser, toMailbox] = [
    await links.countIssuedSince(trx, 'change_email', user.id, since),
    await links.countIssuedTo(trx, 'change_email', email, since),
  ]
  if (Math.max(byUser, toMailbox) >= mailsAtMost) throw rules.tooManyMails()
  const data = { email, ...(redirect ? { redirect } : {}), ...(session_id ? { session_id } : {}) }
  const { token, valid_minutes } = await links.issueLink(trx, 'change_email', user.id, data)
  const link = `${authUrl}/change_email?token=${token}`
  const letter = newAddressConfirmation({ link, valid_minutes })
  const kind = 'email_change_confirm'
  await notifications.queueMail(trx, { to: email, kind, silent: true, letter })
  const sentence =
    'A new email address was requested for your account. It takes effect once that address is confirmed.'
  // An unconfirmed address may be a stranger's.
  if (user.email_verified_at) {
    await notifyAccount(deps, trx, user, 'A change of your email address was requested', sentence)
  }
}

/** The new address that waits for its confirmation; null without one. */
export async function findPendingEmail(
  { db, links }: Deps,
  user_id: string,
  from: Database = db,
): Promise<string | null> {
  const link = await links.findOpenLink('change_email', user_id, from)
  return link?.data.email ?? null
}

/**
 * Refuses a name that has an account. The refusal tells that the account exists, so it draws on a
 * budget; without budget every name is refused alike. Runs before the password is hashed, because
 * hashing is slow.
 */
export async function assertNameUnused(
  deps: Deps,
  { email, alternate_id }: { email: string | null; alternate_id: string | null },
  {
    address,
    caller,
    user_id,
  }: { address: string; caller?: Principal | undefined; user_id?: string | undefined },
): Promise<void> {
  const { db, limits, links } = deps
  const isTaken =
    (email !== null &&
      ((await users.findByEmail(db, email)) || (await links.isReserved(db, email, { user_id })))) ||
    (alternate_id !== null &&
      ((await users.findByAlternateId(db, alternate_id)) ||
        (await isAccountId(deps, alternate_id))))
  const isRegistrar = caller?.scopes.has('user:activate') === true
  const byAccount = isRegistrar ? limits.takenByRegistrar : limits.takenByAccount
  // No query between check and count: concurrent requests cannot exceed the budget.
  const [client, network] = [clientOf(address), networkOf(address)]
  if (!isRegistrar) {
    limits.takenByClient.assertLeft(client)
    limits.takenByNetwork.assertLeft(network)
  }
  if (caller) byAccount.assertLeft(caller.user_id)
  if (!isTaken) return
  // A repeated response tells nothing new.
  const takenName = `${network} ${(email ?? alternate_id)?.toLowerCase()}`
  if (!isRegistrar && !limits.takenNames.get(takenName)) {
    limits.takenNames.put(takenName, true)
    limits.takenByClient.take(client, 1)
    limits.takenByNetwork.take(network, 1)
  }
  if (caller) byAccount.take(caller.user_id, 1)
  throw new rules.TakenError(email === null ? 'alternate_id' : 'email')
}
