import { assertMailAddress } from '../../../platform/mail/address.ts'
import { hourMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import { notifyAccount } from './notify-owner.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { User } from './table.ts'

const mailsAtMost = 5

const mailsWithinMs = hourMs

/** Mails the new address; nothing changes until its link is opened. */
export async function requestEmailChange(deps: Deps, trx: Transaction, user: User, email: string) {
  const { now, links, authUrl, notifications } = deps
  assertMailAddress(email)
  if (await users.findByEmail(trx, email)) throw new rules.TakenError('email')
  const since = new Date(now().getTime() - mailsWithinMs)
  const [asked, mailed] = [
    await links.countIssuedSince(trx, 'change_email', user.id, since),
    await links.countIssuedTo(trx, 'change_email', email, since),
  ]
  if (Math.max(asked, mailed) >= mailsAtMost) throw rules.tooManyMails()
  const { token, valid_minutes } = await links.issueLink(trx, 'change_email', user.id, { email })
  const link = `${authUrl}/change_email?token=${token}`
  const params = { link, valid_minutes }
  await notifications.queueMail(trx, { to: email, template: 'email_change_confirm', params })
  const sentence =
    'Somebody asked to use another e-mail address for your account. It changes once that address is confirmed.'
  // An unconfirmed address may be a stranger's.
  if (user.email_verified_at) {
    await notifyAccount(deps, trx, user, 'A change of your e-mail address was asked for', sentence)
  }
}

/** Refuses a taken name before the password is hashed, which is slow. */
export async function assertEmailUnused(
  { db }: Deps,
  { email, alternate_id }: rules.NewAccount,
): Promise<void> {
  if (email !== null && (await users.findByEmail(db, email))) throw new rules.TakenError('email')
  if (alternate_id !== null && (await users.findByAlternateId(db, alternate_id))) {
    throw new rules.TakenError('alternate_id')
  }
}
