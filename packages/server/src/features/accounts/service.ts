import { transact } from '../../platform/database/database.ts'
import { assertMailAddress } from '../../platform/mail/address.ts'
import { isCommonPassword } from '../../platform/passwords/common.ts'
import type { Passwords } from '../../platform/passwords/passwords.ts'
import { currentNetwork } from '../../platform/request-id.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Keys } from '../keys/index.ts'
import type { LinkData, LinkPurpose, Links, ToldEvent } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { nameSubjects, type Throttle } from '../throttle/index.ts'
import * as users from './repository.ts'
import * as rules from './rules.ts'
import type { AccountChange } from './schema.ts'
import type { User } from './table.ts'

export type Accounts = ReturnType<typeof createAccounts>

type Options = {
  db: Database
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  throttle: Throttle
  passwords: Passwords
  now: () => Date
  authUrl: string
}

/** Something other features do for a user within the same transaction. */
type ForUser = (trx: Transaction, user_id: string) => Promise<void>

const mailsAtMost = 5
const mailsWithinMs = 60 * 60_000
const firstPasswordMs = 15 * 60_000
/** Whatever was mailed or handed out before a new password is good for nothing after it. */
const wayIn = [
  'magic_link',
  'reset_password',
  'first_password',
  'exchange',
  'change_email',
] as const

/** What a revocation takes away. */
export type Revocation = {
  /** Wallets and foreign public keys added since then are removed too; all of them if null. */
  since: Date | null
  /** The notice by which its reader said that it was not them. */
  told?: Omit<LinkData, 'told'> & { event: ToldEvent; at: Date }
  /** The account has another mailbox now. */
  isNewMailbox?: true
  /** Sessions go on. */
  keepsSessions?: boolean
}
type WhenRevoked = (trx: Transaction, user_id: string, revocation: Revocation) => Promise<void>

export function createAccounts(options: Options) {
  const { db, keys, links, notifications, audit, throttle, passwords, now, authUrl } = options
  const whenDisowned: ForUser[] = []
  const beforeDeletion: ForUser[] = []
  const whenRevoked: WhenRevoked[] = []

  const showAll = async (found: readonly User[], from: Database | Transaction = db) => {
    const ids = found.map(({ id }) => id)
    const pubkeys = await keys.pubkeysOf(from, ids)
    return found.map((user) => rules.showUser(user, pubkeys.get(user.id) ?? [], now()))
  }
  const show = async (user: User, from: Database | Transaction = db) => {
    const [shown] = await showAll([user], from)
    return shown as NonNullable<typeof shown>
  }
  const load = async (id: string): Promise<User> => {
    const user = await users.find(db, id)
    if (!user) throw new rules.UnknownUserError()
    return user
  }
  const loadToChange = async (trx: Transaction, id: string): Promise<User> => {
    const user = await users.findToChange(trx, id)
    if (!user) throw new rules.UnknownUserError()
    return user
  }
  /** Hashing is slow, so it is done before any row is locked. */
  const hashGood = async (password: string, names: Pick<User, 'email' | 'alternate_id'>) => {
    rules.assertGoodPassword(password, names, await isCommonPassword(password))
    return passwords.hash(password)
  }
  /** Where a notice goes. A mailbox that nobody confirmed may be anybody's, and gets few. */
  const mailboxFor = async (trx: Transaction, { email, email_verified_at }: User) => {
    if (!email || email_verified_at) return email
    return (await notifications.takeUnconfirmed(trx, email)) ? email : null
  }
  const tell = async (trx: Transaction, user: User, title: string, sentence: string) => {
    const to = await mailboxFor(trx, user)
    if (!to) return
    const params = { title, sentence }
    await notifications.queueMail(trx, { to, template: 'security_notice', params })
  }

  /** The same, with a "this was not me" link. */
  const tellToOwner = async (
    trx: Transaction,
    user: User,
    title: string,
    sentence: string,
    told: LinkData & { told: ToldEvent },
  ) => {
    const to = await mailboxFor(trx, user)
    if (!to) return
    const { token } = await links.issue(trx, 'not_me', user.id, told)
    const params = { title, sentence, not_me: `${authUrl}/not_me?token=${token}` }
    await notifications.queueMail(trx, { to, template: 'security_notice', params })
  }
  keys.beforeAdded(async (trx, user_id, sentence) => {
    const user = await loadToChange(trx, user_id)
    await tellToOwner(trx, user, 'A public key was added', sentence, { told: 'pubkey' })
  })

  /** Throws unless it is the password; guesses count as failed logins. */
  const assertPassword = async (user: User, given: string | null | undefined) => {
    if (user.password_hash === null) return
    if (given === null || given === undefined) throw new rules.WrongPasswordError()
    rules.assertHashable(given)
    const [here, everywhere] = nameSubjects(rules.loginNameOf(user), currentNetwork())
    await passwords.attempt(async (matches) => {
      await throttle.assertOpen(here, everywhere)
      if (await matches(user.password_hash, given)) return throttle.forgive(here)
      await throttle.noteFailure(here, everywhere)
      throw new rules.WrongPasswordError()
    })
  }

  /** Whoever has a password gives it; whoever has none comes from a link. Nothing to lose, nothing to show. */
  const assertOwner = async (
    user: User,
    caller: Principal,
    { password, current_password }: AccountChange,
  ) => {
    if (user.password_hash !== null) return assertPassword(user, current_password)
    if (typeof password !== 'string' && user.claimed_at === null) return
    rules.assertLinkedRecently(caller.linked_at, now(), firstPasswordMs)
  }

  const setPassword = async (trx: Transaction, user: User, password_hash: string) => {
    await users.update(trx, user.id, { password_hash, updated_at: now() })
    await users.raiseEpoch(trx, user.id)
    await throttle.clear(trx, rules.loginNameOf(user))
    await links.voidAll(trx, user.id, wayIn)
  }

  /** Asks the new mailbox; nothing changes before it answers. */
  const askForEmail = async (trx: Transaction, user: User, email: string) => {
    assertMailAddress(email)
    if (await users.findByEmail(trx, email)) throw new rules.TakenError('email')
    const since = new Date(now().getTime() - mailsWithinMs)
    const [asked, mailed] = [
      await links.issuedSince(trx, 'change_email', user.id, since),
      await links.issuedTo(trx, 'change_email', email, since),
    ]
    if (Math.max(asked, mailed) >= mailsAtMost) throw new rules.TooManyMailsError()
    const { token, valid_minutes } = await links.issue(trx, 'change_email', user.id, { email })
    const link = `${authUrl}/change_email?token=${token}`
    const params = { link, valid_minutes }
    await notifications.queueMail(trx, { to: email, template: 'email_change_confirm', params })
    const sentence =
      'Somebody asked to use another e-mail address for your account. It changes once that address is confirmed.'
    // An address that nobody confirmed may be anybody's.
    if (user.email_verified_at) {
      await tell(trx, user, 'A change of your e-mail address was asked for', sentence)
    }
  }

  /** A new account with its custodial key. */
  const create = async (
    trx: Transaction,
    account: rules.NewAccount,
    password_hash: string | null,
    actor?: Principal,
  ) => {
    const { password: _, isActivated, reason, ...members } = account
    const at = now()
    const user = await users.insert(trx, {
      ...members,
      password_hash,
      created_at: at,
      updated_at: at,
      email_verified_at: isActivated ? at : null,
      claimed_at: null,
      two_factor_last_prompted_at: null,
      deactivated_at: null,
      deleted_at: null,
    })
    if (!user) throw new rules.TakenError(account.email === null ? 'alternate_id' : 'email')
    const pubkey = await keys.createCustodial(trx, { user_id: user.id })
    const noted = { actor_id: actor?.user_id ?? user.id, subject_id: user.id }
    const why = reason ? { reason } : {}
    await audit.note(trx, 'account.registered', { ...noted, details: why })
    if (isActivated && actor) {
      await audit.note(trx, 'email.confirmed', { ...noted, details: { by: actor.role, ...why } })
    }
    await audit.note(trx, 'key.created', { ...noted, details: { pubkey } })
    return user
  }

  return {
    create,
    show,
    showAll,
    load,
    loadToChange,
    hashGood,
    assertPassword,
    setPassword,
    askForEmail,
    tell,
    tellToOwner,
    mailboxFor,
    findByEmail: (email: string, from: Database | Transaction = db) =>
      users.findByEmail(from, email),
    /** Nothing for who was deleted; nobody else changes the user until the transaction ends. */
    findToChange: users.findToChange,
    findByAlternateId: (id: string) => users.findByAlternateId(db, id),
    find: (id: string, from: Database | Transaction = db) => users.find(from, id),
    change: (trx: Transaction, id: string, change: Parameters<typeof users.update>[2]) =>
      users.update(trx, id, { ...change, updated_at: now() }),
    findAll: async (from: Database | Transaction, ids: readonly string[]) =>
      ids.length === 0 ? [] : users.findAll(from, ids),
    useFree: users.useFree,
    operators: (from: Database | Transaction) => users.findOperators(from),
    notePrompt: (user_id: string) => users.notePrompt(db, user_id, now()),
    /** Ends every session and access token of a user, and those about to begin. */
    async endSessions(trx: Transaction, user_id: string): Promise<void> {
      await users.raiseEpoch(trx, user_id)
      await links.voidAll(trx, user_id, ['exchange', 'first_password'])
    },
    /** Uses a link up and locks whom it was given to; nothing if either is gone. */
    async follow(trx: Transaction, purpose: LinkPurpose, token: string) {
      // The user first, then the link: the order of everybody who changes a user and voids links.
      const seen = await links.peek(purpose, token, trx)
      const user = seen && (await users.findToChange(trx, seen.user_id))
      if (!user || user.deactivated_at) return undefined
      const link = await links.use(trx, purpose, token)
      return link && { link, user }
    },
    /**
     * Ends sessions, API keys, application grants, mailed links and open transfers. The password and
     * the second factor stay.
     */
    async revoke(trx: Transaction, user_id: string, revocation: Revocation): Promise<void> {
      if (!revocation.keepsSessions) await users.raiseEpoch(trx, user_id)
      await links.voidAll(trx, user_id, [...wayIn, 'confirm_email'])
      await keys.dropForeign(trx, user_id, revocation.since ?? undefined)
      for (const follow of whenRevoked) await follow(trx, user_id, revocation)
    },
    whenRevoked: (action: WhenRevoked) => void whenRevoked.push(action),
    /** What else somebody loses who turns out not to be the owner of the mailbox. */
    whenDisowned: (action: ForUser) => void whenDisowned.push(action),
    /** What has to be settled, or hinders, before an account is deleted. */
    beforeDeletion: (action: ForUser) => void beforeDeletion.push(action),
    async settle(trx: Transaction, user_id: string): Promise<void> {
      for (const action of beforeDeletion) await action(trx, user_id)
      await links.forget(trx, user_id)
    },

    /** The first administrator, unless somebody has that address; answers whether it was made. */
    async createAdmin(trx: Transaction, email: string, password: string): Promise<boolean> {
      assertMailAddress(email)
      if (await users.findByEmail(trx, email)) return false
      const hash = await hashGood(password, { email, alternate_id: null })
      const user = await create(trx, { ...rules.nobody, email }, hash)
      const at = now()
      // The first administrator is a Super, because only a Super can grant every role; later ones are Admins.
      const role = (await users.hasOperator(trx)) ? 'Admin' : 'Super'
      await users.update(trx, user.id, { role, email_verified_at: at, claimed_at: at })
      return true
    },

    /** Tells early, before anything costly is done, that a name is taken. */
    async assertFree({ email, alternate_id }: rules.NewAccount): Promise<void> {
      if (email !== null && (await users.findByEmail(db, email)))
        throw new rules.TakenError('email')
      if (alternate_id !== null && (await users.findByAlternateId(db, alternate_id))) {
        throw new rules.TakenError('alternate_id')
      }
    },

    /** Drops whatever was made before the owner of the mailbox came, all of it made by who knows whom. */
    async disown(trx: Transaction, user_id: string): Promise<void> {
      await users.raiseEpoch(trx, user_id)
      await links.voidAll(trx, user_id, wayIn)
      await keys.dropForeign(trx, user_id)
      for (const drop of whenDisowned) await drop(trx, user_id)
    },

    /** A user changes their own account; `reopen` is called if every session ended with it. */
    async update<Opened>(
      caller: Principal,
      change: AccountChange,
      reopen: (trx: Transaction) => Promise<Opened>,
    ): Promise<Opened | null> {
      const user = await load(caller.user_id)
      const { email, password } = change
      const isNewEmail =
        typeof email === 'string' && email.toLowerCase() !== user.email?.toLowerCase()
      const isNewPassword = typeof password === 'string'
      if (isNewEmail) assertMailAddress(email)
      if (isNewEmail || isNewPassword) {
        assertFresh(caller, true)
        await assertOwner(user, caller, change)
      }
      const hash = isNewPassword ? await hashGood(password, user) : undefined
      const names = rules.readNames(change)
      const noted = { actor_id: user.id }
      return transact(db, async (trx) => {
        const current = await loadToChange(trx, user.id)
        const isAsBefore = current.epoch === user.epoch && !current.deactivated_at
        if (!isAsBefore || current.password_hash !== user.password_hash) {
          throw new rules.WrongPasswordError()
        }
        const members = Object.keys(names)
        if (members.length > 0) {
          await users.update(trx, user.id, { ...names, updated_at: now() })
          await audit.note(trx, 'account.changed', { ...noted, details: { members } })
        }
        if (hash !== undefined) {
          await setPassword(trx, current, hash)
          await audit.note(trx, 'password.set', noted)
          await tell(trx, current, 'Your password was changed', rules.passwordChangedSentence)
        }
        if (isNewEmail) {
          await askForEmail(trx, current, email)
          await audit.note(trx, 'email.change_requested', noted)
        }
        return hash === undefined ? null : reopen(trx)
      })
    },
  }
}
