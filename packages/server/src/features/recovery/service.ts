import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { LinkPurpose, Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import * as recoveries from './repository.ts'
import * as rules from './rules.ts'

export type Recovery = ReturnType<typeof createRecovery>

type Options = {
  db: Database
  accounts: Accounts
  links: Links
  secondFactor: SecondFactor
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
}

/**
 * For who has lost a second factor and its backup codes: the mailbox alone removes it, after a wait
 * that is told wherever the owner may hear of it, and that ends with any login by code.
 */
export function createRecovery(options: Options) {
  const { db, accounts, links, secondFactor, notifications, audit, now, authUrl } = options

  const drop = async (trx: Transaction, user_id: string) =>
    void (await recoveries.take(trx, user_id))
  secondFactor.whenRemoved(drop)
  accounts.beforeDeletion(drop)
  accounts.whenRevoked(async (trx, user_id, { isNewMailbox }) => {
    // It was begun from the mailbox of before.
    if (isNewMailbox) await drop(trx, user_id)
  })

  /** The owner of a link that was mailed to the address that the account still has. */
  const follow = async (trx: Transaction, purpose: LinkPurpose, token: string) => {
    const found = await accounts.follow(trx, purpose, token)
    const isSame = found?.link.data.email?.toLowerCase() === found?.user.email?.toLowerCase()
    if (!found?.user.email || !isSame || found.user.two_factor_auth.length === 0) {
      throw new rules.RecoveryGoneError()
    }
    return { ...found.user, email: found.user.email }
  }
  const look = async (purpose: LinkPurpose, token: string) => {
    const link = await links.peek(purpose, token)
    const user = link && (await accounts.find(link.user_id))
    if (!user || user.deactivated_at || user.two_factor_auth.length === 0) {
      throw new rules.RecoveryGoneError()
    }
    return user
  }

  const announce = async (trx: Transaction, user: User & { email: string }, ends_at: Date) => {
    const from = rules.inWords(ends_at)
    const { email } = user
    const { token } = await links.issue(trx, 'finish_recovery', user.id, { email })
    const link = `${authUrl}/recover_factor/finish?token=${token}`
    const template = 'recovery_begun'
    await notifications.queueMail(trx, { to: email, template, params: { link, from } })
    const phone = await secondFactor.phoneOf(trx, user)
    const valid_minutes = Math.round((ends_at.getTime() - now().getTime()) / 60_000)
    if (phone && notifications.canSendSms) {
      await notifications.queueSms(trx, { to: phone, template, params: { from, valid_minutes } })
    }
  }

  /** A code was given, so the second factor is not lost. */
  const cancel = async (trx: Transaction, user: User): Promise<void> => {
    const cancelled = await recoveries.take(trx, user.id)
    if (!cancelled) return
    await audit.note(trx, 'second_factor.recovery_cancelled', { actor_id: user.id })
    const title = 'Your second factor stays'
    await accounts.tell(trx, user, title, rules.cancelledSentence)
  }

  return {
    /** Whose second factor it would be. */
    async lookAtBegin(token: string) {
      const { email } = await look('recover_factor', token)
      return { email }
    },

    /** The wait begins; one that has begun goes on. Answers when it ends. */
    async begin(token: string): Promise<Date> {
      return transact(db, async (trx) => {
        const user = await follow(trx, 'recover_factor', token)
        const at = now()
        const begun = await recoveries.insert(trx, {
          user_id: user.id,
          asked_at: at,
          ends_at: rules.endOf(at),
        })
        const waiting = begun ?? (await recoveries.find(trx, user.id))
        if (!waiting) throw new rules.RecoveryGoneError()
        if (begun) {
          await announce(trx, user, begun.ends_at)
          const details = { ends_at: begun.ends_at.toISOString() }
          await audit.note(trx, 'second_factor.recovery_begun', { subject_id: user.id, details })
        }
        return waiting.ends_at
      })
    },

    /** From when on it can be ended. */
    async lookAtEnd(token: string) {
      const { id, email } = await look('finish_recovery', token)
      const waiting = await recoveries.find(db, id)
      if (!waiting) throw new rules.RecoveryGoneError()
      return { email, from: rules.inWords(waiting.ends_at), isOver: waiting.ends_at <= now() }
    },

    /** The waiting time is over without a login. */
    async finish(token: string): Promise<void> {
      await transact(db, async (trx) => {
        const user = await follow(trx, 'finish_recovery', token)
        const waiting = await recoveries.take(trx, user.id)
        if (!waiting) throw new rules.RecoveryGoneError()
        if (waiting.ends_at > now()) throw new rules.TooEarlyError(waiting.ends_at)
        await secondFactor.removeLost(trx, user)
      })
    },

    cancel,

    /** The same by who gave one within the last minutes; whatever waits, or nothing. */
    async cancelOwn({ user_id }: Principal): Promise<void> {
      await transact(db, async (trx) => cancel(trx, await accounts.loadToChange(trx, user_id)))
    },

    /** What waits, for who looks after the account. */
    async pendingOf(user_id: string) {
      const waiting = await recoveries.find(db, user_id)
      return waiting ? { asked_at: waiting.asked_at, ends_at: waiting.ends_at } : null
    },

    purge: () => recoveries.forgetBefore(db, new Date(now().getTime() - rules.keptMs)),
  }
}
