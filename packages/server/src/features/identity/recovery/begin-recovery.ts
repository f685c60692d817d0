import { transact } from '../../../platform/database/database.ts'
import { minuteMs, toMinuteText } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/index.ts'
import type { Deps } from './deps.ts'
import { followLink, previewLink } from './follow-link.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export async function previewBegin(deps: Deps, token: string) {
  const { email } = await previewLink(deps, 'recover_factor', token)
  return { email }
}

/** Starts the wait, or keeps a running one; returns its end. */
export async function beginRecovery(deps: Deps, token: string): Promise<Date> {
  const { db, now, audit } = deps
  return transact(db, async (trx) => {
    const user = await followLink(deps, trx, 'recover_factor', token)
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
  const template = 'recovery_begun'
  const reader = { to: email, user_id: user.id }
  await notifications.queueMail(trx, { ...reader, template, params: { link, from } })
  // The link is for the present mailbox only. A former one that keeps its remedies learns of it.
  for (const former of await accounts.mailboxesFor(trx, user)) {
    if (!former.until) continue
    const params = { title: rules.begunTitle, sentence: rules.begunSentence(from) }
    await notifications.queueMail(trx, {
      to: former.to,
      user_id: null,
      template: 'security_notice',
      params,
    })
  }
  const phone = await secondFactor.readPhone(trx, user)
  const valid_minutes = Math.round((ends_at.getTime() - now().getTime()) / minuteMs)
  if (phone && notifications.canSendSms) {
    await notifications.queueSms(trx, { to: phone, template, params: { from, valid_minutes } })
  }
}
