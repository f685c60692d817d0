import { transact } from '../../platform/database/database.ts'
import { toPage } from '../../platform/http/paging.ts'
import { assertMailAddress } from '../../platform/mail/address.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  assertMayChange,
  assertMayChangeRole,
  assertMayTakeOver,
  assertScope,
  inRole,
  type Principal,
} from '../access/index.ts'
import { type Accounts, readNames, UnknownUserError } from '../accounts/index.ts'
import { type Audit, createAudit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Recovery } from '../recovery/index.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { AdminChange, FeatureChange, UserQuery } from './schema.ts'

export type Users = ReturnType<typeof createUsers>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  recovery: Recovery
  audit: Audit
  now: () => Date
}

/** Accounts as others see and change them: administrators, and whoever deletes their own. */
export function createUsers({ db, accounts, emojiIds, recovery, audit, now }: Options) {
  const extend = async <User extends { id: string }>(users: readonly User[]) => {
    const ids = await emojiIds.displayedOf(users.map(({ id }) => id))
    return users.map((user) => ({ ...user, emoji_ids: ids.get(user.id) ?? [] }))
  }

  /**
   * Only a Super may change a Super. All of them are locked first and in one order, so that of two
   * Supers who lower each other only one succeeds.
   */
  const lockSupers = (trx: Transaction, { role }: Principal) =>
    role === 'Super' ? users.lockSupers(trx) : []

  return {
    /** An administrator changes somebody's account. */
    async update(caller: Principal, id: string, change: AdminChange) {
      const subject = await accounts.load(id)
      const isSelf = id === caller.user_id
      const { email, password, role: roleName, free_limit, reason } = change
      const why = reason ? { reason } : {}
      if (isSelf && (email || typeof password === 'string'))
        await accounts.assertPassword(subject, change.current_password)
      if (email) assertMailAddress(email)
      const hash =
        typeof password === 'string' ? await accounts.hashGood(password, subject) : undefined
      const names = { ...readNames(change), ...rules.readActivationSource(change) }
      return transact(db, async (trx) => {
        const supers = await lockSupers(trx, caller)
        const user = await accounts.loadToChange(trx, id)
        assertMayChange(caller, user)
        if (email || hash !== undefined) assertMayTakeOver(caller, user)
        const role = roleName ? rules.readGlobalRole(roleName) : user.role
        if (role !== user.role) {
          // As the caller is now: two who demote each other at once do not both succeed.
          const actor = await accounts.loadToChange(trx, caller.user_id)
          assertMayChangeRole(inRole(caller, actor.role), user, role)
          rules.assertSuperStays(supers, id)
          const details = { from: user.role, to: role, ...why }
          await audit.note(trx, 'role.changed', {
            actor_id: caller.user_id,
            subject_id: id,
            details,
          })
        }
        const limit = typeof free_limit === 'number' ? { free_limit } : {}
        const isNewLimit = free_limit !== user.free_limit && 'free_limit' in limit
        if (isNewLimit && isSelf) throw new rules.OwnLimitError()
        const moved = isNewLimit ? { free_limit: { from: user.free_limit, to: free_limit } } : {}
        const changed = await accounts.change(trx, id, { ...names, ...limit, role })
        if (hash !== undefined) {
          await accounts.setPassword(trx, user, hash)
          if (!isSelf) await accounts.revoke(trx, id, { since: user.email_verified_at })
          const sentence = 'Our support set a new password for your account.'
          await accounts.tell(trx, user, 'Your password was changed', sentence)
        }
        const isNewEmail = email && email.toLowerCase() !== user.email?.toLowerCase()
        if (isNewEmail) await accounts.askForEmail(trx, user, email)
        const members = Object.keys(change).filter((name) => !/password|reason/.test(name))
        const details = { members, password: hash !== undefined, ...moved, ...why }
        await audit.note(trx, 'account.changed', {
          actor_id: caller.user_id,
          subject_id: id,
          details,
        })
        return accounts.show(changed, trx)
      })
    },

    async setActive(caller: Principal, id: string, isActive: boolean, reason: string) {
      if (isActive) assertScope(caller, 'user:activate')
      return transact(db, async (trx) => {
        const supers = await lockSupers(trx, caller)
        const user = await accounts.loadToChange(trx, id)
        assertMayChange(caller, user)
        if (user.id === caller.user_id) throw new rules.OwnActivationError()
        if (!isActive) rules.assertSuperStays(supers, id)
        const deactivated_at = isActive ? null : (user.deactivated_at ?? now())
        const changed = await accounts.change(trx, id, { deactivated_at })
        // Whoever is let in again begins anew: no key or session of before comes back.
        if (!isActive) await accounts.revoke(trx, id, { since: now() })
        const event = isActive ? 'account.activated' : 'account.deactivated'
        await audit.note(trx, event, {
          actor_id: caller.user_id,
          subject_id: id,
          details: { reason },
        })
        return accounts.show(changed, trx)
      })
    },

    async setFeatures(caller: Principal, id: string, { codes, reason }: FeatureChange) {
      await transact(db, async (trx) => {
        assertMayChange(caller, await accounts.loadToChange(trx, id))
        await users.replaceFeatures(trx, id, [...new Set(codes)])
        const details = { codes, ...(reason ? { reason } : {}) }
        const noted = { actor_id: caller.user_id, subject_id: id, details }
        await audit.note(trx, 'features.changed', noted)
      })
      return users.findFeatures(db, id)
    },

    /** Deactivates and anonymises; what belongs to the books stays, without a name. */
    async remove(caller: Principal, id: string, reason?: string) {
      if (id !== caller.user_id && !caller.scopes.has('user:delete')) throw new UnknownUserError()
      return transact(db, async (trx) => {
        const supers = await lockSupers(trx, caller)
        const user = await accounts.loadToChange(trx, id)
        assertMayChange(caller, user)
        rules.assertSuperStays(supers, id)
        await accounts.settle(trx, id)
        const sentence = 'Your account and the data that names you were deleted.'
        await accounts.tell(trx, user, 'Your account was deleted', sentence)
        await accounts.endSessions(trx, id)
        await users.replaceFeatures(trx, id, [])
        const changed = await accounts.change(trx, id, rules.anonymous(now()))
        const noted = { actor_id: caller.user_id, subject_id: id }
        await audit.note(trx, 'account.deleted', { ...noted, details: reason ? { reason } : {} })
        return accounts.show(changed, trx)
      })
    },

    async list(query: UserQuery) {
      const { rows, total } = await users.findPage(db, query)
      const shown = await accounts.showAll(rows)
      return toPage(await extend(shown), total, query)
    },

    async show(id: string) {
      const [user] = await extend([await accounts.show(await accounts.load(id))])
      const second_factor_recovery = await recovery.pendingOf(id)
      return { ...(user as NonNullable<typeof user>), second_factor_recovery }
    },

    features: (user_id: string) => users.findFeatures(db, user_id),
    async featuresOf(user_id: string) {
      await accounts.load(user_id)
      return users.findFeatures(db, user_id)
    },
    allFeatures: () => users.findAllFeatures(db),
  }
}

/** Raises an account to Super by a local command, without a login. */
export const makeSuper = (db: Database, email: string): Promise<'raised' | 'unchanged'> =>
  transact(db, async (trx) => {
    const now = () => new Date()
    const user = await users.findByEmailToChange(trx, email)
    if (!user) throw new Error(`Nobody has the e-mail address ${email}.`)
    if (user.deactivated_at) throw new Error(`The account of ${email} is deactivated.`)
    if (!user.email_verified_at) throw new Error(`Nobody has confirmed the address ${email} yet.`)
    if (user.role === 'Super') return 'unchanged'
    await users.setRole(trx, user.id, 'Super', now())
    await createAudit({ db, now }).note(trx, 'role.changed', {
      actor_id: null,
      subject_id: user.id,
      details: { from: user.role, to: 'Super', reason: 'Raised on the machine of the operator' },
    })
    return 'raised'
  })
