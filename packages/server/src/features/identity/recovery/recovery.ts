import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import { minuteMs, toMinuteText } from '../../../platform/time.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import { type Accounts, type Revocation, securityNotice, type User } from '../accounts/accounts.ts'
import type { LinkPurpose, Links } from '../links/links.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  links: Links
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
}

export type Recovery = ReturnType<typeof createRecovery>

/**
 * Removes a lost second factor after a wait, if the backup codes are lost too. The mailbox alone is
 * enough, so we notify the owner by email and text message, and any sign-in with a code cancels it.
 */
export function createRecovery(deps: Deps) {
  const bind = bindTo(deps)
  const { secondFactor, accounts } = deps
  secondFactor.whenRemoved(dropRecovery)
  accounts.beforeDeletion(dropRecovery)
  accounts.whenRevoked(bind(revokeRecovery))

  return bindUseCases(deps, {
    previewBegin,
    beginRecovery,
    previewFinish,
    finishRecovery,
    cancelRecovery,
    cancelOwnRecovery,
    findPendingRecovery,
  })
}

async function previewBegin(deps: Deps, token: string) {
  const { email } = await previewLink(deps, 'recover_factor', token)
  return { email }
}

async function previewLink({ links, accounts }: Deps, purpose: LinkPurpose, token: string) {
  const link = await links.peekLink(purpose, token)
  const user = link && (await accounts.findAccount(link.user_id))
  if (!user || user.deactivated_at || user.two_factor_auth.length === 0) {
    throw rules.expiredLink()
  }
  return user
}

/** Starts the wait, or keeps a running one; returns its end. */
async function beginRecovery(deps: Deps, token: string): Promise<Date> {
  const { db, now, audit } = deps
  return transact(db, async (trx) => {
    const user = await takeRecoveryLink(deps, trx, 'recover_factor', token)
    const at = now()
    const started = await recoveries.insert(trx, {
      user_id: user.id,
      asked_at: at,
      ends_at: rules.endOf(at),
    })
    const recovery = started ?? (await recoveries.find(trx, user.id))
    if (!recovery) throw rules.expiredLink()
    if (started) {
      await announceRecovery(deps, trx, user, started.ends_at)
      const details = { ends_at: started.ends_at.toISOString() }
      await audit.writeEntry(trx, 'second_factor.recovery_begun', { subject_id: user.id, details })
    }
    return recovery.ends_at
  })
}

/** Returns the user of a link, if the account still has the address that it was emailed to. */
async function takeRecoveryLink(
  { accounts }: Deps,
  trx: Transaction,
  purpose: LinkPurpose,
  token: string,
) {
  const followed = await accounts.takeLink(trx, purpose, token)
  const isSame = followed?.link.data.email?.toLowerCase() === followed?.user.email?.toLowerCase()
  if (!followed?.user.email || !isSame || followed.user.two_factor_auth.length === 0) {
    throw rules.expiredLink()
  }
  return { ...followed.user, email: followed.user.email }
}

async function announceRecovery(
  { accounts, links, authUrl, notifications, secondFactor, now }: Deps,
  trx: Transaction,
  user: User & { email: string },
  ends_at: Date,
) {
  const from = toMinuteText(ends_at)
  const { email } = user
  const { token } = await links.issueLink(trx, 'finish_recovery', user.id, { email })
  const link = `${authUrl}/recover_factor/finish?token=${token}`
  const kind = 'recovery_begun'
  await notifications.queueMail(trx, {
    to: email,
    user_id: user.id,
    kind,
    page: '/account/security',
    letter: rules.recoveryBegun(link, from),
  })
  // The link is for the present mailbox only. A former one that keeps its remedies learns of it.
  for (const former of await accounts.mailboxesFor(trx, user)) {
    if (!former.until) continue
    const letter = securityNotice(rules.begunTitle, rules.begunSentence(from))
    const news = { kind: 'security_notice', silent: true, letter } as const
    await notifications.queueMail(trx, { to: former.to, ...news })
  }
  const phone = await secondFactor.readPhone(trx, user)
  const valid_minutes = Math.round((ends_at.getTime() - now().getTime()) / minuteMs)
  if (phone && notifications.canSendSms) {
    const text = rules.begunSms(from)
    await notifications.queueSms(trx, { to: phone, kind, text, valid_minutes })
  }
}

async function previewFinish(deps: Deps, token: string) {
  const { db, now } = deps
  const { id, email } = await previewLink(deps, 'finish_recovery', token)
  const recovery = await recoveries.find(db, id)
  if (!recovery) throw rules.expiredLink()
  return { email, from: toMinuteText(recovery.ends_at), isOver: recovery.ends_at <= now() }
}

/** Removes the second factor after the wait, unless a code cancelled the recovery. */
async function finishRecovery(deps: Deps, token: string): Promise<void> {
  const { db, now, secondFactor } = deps
  await transact(db, async (trx) => {
    const user = await takeRecoveryLink(deps, trx, 'finish_recovery', token)
    const recovery = await recoveries.take(trx, user.id)
    if (!recovery) throw rules.expiredLink()
    if (recovery.ends_at > now()) throw rules.tooEarly(recovery.ends_at)
    await secondFactor.removeLostFactor(trx, user)
  })
}

/** Cancels a recovery after the user entered a code: the second factor is not lost. */
async function cancelRecovery(
  { audit, accounts }: Deps,
  trx: Transaction,
  user: User,
): Promise<void> {
  const cancelled = await recoveries.take(trx, user.id)
  if (!cancelled) return
  await audit.writeEntry(trx, 'second_factor.recovery_cancelled', { actor_id: user.id })
  const title = 'Your second factor stays'
  await accounts.notifyAccount(trx, user, title, rules.cancelledSentence)
}

/** The route requires a fresh second factor. */
async function cancelOwnRecovery(deps: Deps, { user_id }: Principal): Promise<void> {
  const { db, accounts } = deps
  await transact(db, async (trx) =>
    cancelRecovery(deps, trx, await accounts.loadAccountToChange(trx, user_id)),
  )
}

async function findPendingRecovery({ db }: Deps, user_id: string) {
  const recovery = await recoveries.find(db, user_id)
  return recovery ? { asked_at: recovery.asked_at, ends_at: recovery.ends_at } : null
}

export const purgeRecoveries = (db: Database, at: Date) =>
  recoveries.deleteBefore(db, new Date(at.getTime() - rules.finishWithinMs))

const dropRecovery = async (trx: Transaction, user_id: string) =>
  void (await recoveries.take(trx, user_id))

/** Cancels a recovery when the account gets a new mailbox or an operator revokes its access. */
async function revokeRecovery(
  { links }: Deps,
  trx: Transaction,
  user_id: string,
  { isNewMailbox, isByOperator }: Revocation,
): Promise<void> {
  if (!isNewMailbox && !isByOperator) return
  await dropRecovery(trx, user_id)
  await links.voidLinks(trx, user_id, ['recover_factor', 'finish_recovery'])
}
