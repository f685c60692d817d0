import { transact } from '../../platform/database/database.ts'
import { isDuplicate } from '../../platform/database/faults.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Link, LinkPurpose, Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import * as rules from './rules.ts'

export type Mailbox = ReturnType<typeof createMailbox>

type Options = {
  db: Database
  accounts: Accounts
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
  webUrl: string
}

/** Which mail brings which link. */
const templates = {
  magic_link: 'magic_link',
  confirm_email: 'confirm_email',
  reset_password: 'password_reset',
  recover_factor: 'factor_recovery',
} as const

export const mailTask = 'mailbox.mail'

/** All that is proven by opening a mail: whose address it is, who may sign in, who forgot a password. */
export function createMailbox(options: Options) {
  const { db, accounts, links, notifications, audit, now, authUrl, webUrl } = options

  /** Where the owner of a mailbox says that an account is not theirs. */
  const notMe = async (trx: Transaction, { id, email }: User & { email: string }) => {
    const { token } = await links.issue(trx, 'confirm_email', id, { email })
    return `${authUrl}/confirm_email?token=${token}`
  }
  type Wanted = Pick<rules.MailRequest, 'redirect' | 'application'>
  const mailLink = async (
    trx: Transaction,
    user: User & { email: string },
    purpose: keyof typeof templates,
    { redirect, application, isMade }: Wanted & { isMade?: boolean } = {},
  ) => {
    const isSignIn = purpose === 'magic_link'
    const data = {
      email: user.email,
      ...(redirect ? { redirect } : {}),
      ...(application && isSignIn ? { browser: application.browser } : {}),
    }
    const { token, valid_minutes } = await links.issue(trx, purpose, user.id, data)
    const name = isSignIn ? 'refresh_token' : 'token'
    const more = application && isSignIn ? `&${application.query}` : ''
    const params = { link: `${authUrl}/${purpose}?${name}=${token}${more}`, valid_minutes }
    const to = user.email
    if (isSignIn) {
      const more = {
        ...(application ? { application: application.name } : {}),
        ...(user.email_verified_at ? {} : { confirms: true as const }),
        ...(isMade ? { not_me: await notMe(trx, user) } : {}),
      }
      await notifications.queueMail(trx, { to, template: purpose, params: { ...params, ...more } })
    } else {
      const template = templates[purpose]
      const more = {
        ...(isMade ? { is_made: true as const } : {}),
        ...(user.password_hash === null ? { has_none: true as const } : {}),
      }
      await notifications.queueMail(trx, { to, template, params: { ...params, ...more } })
    }
    await audit.note(trx, 'link.requested', { subject_id: user.id, details: { purpose } })
  }

  /** Whatever does not fit any more ends here. */
  const follow = async (trx: Transaction, purpose: LinkPurpose, token: string) => {
    const found = await accounts.follow(trx, purpose, token)
    if (!found) throw new rules.LinkGoneError()
    const { email } = found.link.data
    const isSameAddress = email?.toLowerCase() === found.user.email?.toLowerCase()
    if (purpose !== 'change_email' && email && !isSameAddress) throw new rules.LinkGoneError()
    return found
  }

  /** The owner of the mailbox is here for the first time: nobody else's traces stay. */
  const claim = async (trx: Transaction, user: User) => {
    const at = now()
    // A confirmed address whose account has a password keeps what was made before.
    const isProven = user.email_verified_at !== null && user.password_hash !== null
    if (user.claimed_at === null && !isProven) {
      await accounts.disown(trx, user.id)
      await audit.note(trx, 'account.claimed', { actor_id: user.id })
    }
    // Whose it is has been said.
    await links.voidAll(trx, user.id, ['confirm_email'])
    await accounts.change(trx, user.id, {
      claimed_at: user.claimed_at ?? at,
      email_verified_at: user.email_verified_at ?? at,
    })
  }

  /** Uses a sign-in link up. */
  const enter = async (trx: Transaction, token: string) => {
    const found = await follow(trx, 'magic_link', token)
    if (found.user.password_hash !== null) throw new rules.LinkGoneError()
    await claim(trx, found.user)
    await audit.note(trx, 'login.link', { actor_id: found.user.id })
    return found
  }

  /** On to the web site, with a code that it exchanges for tokens. */
  const toWeb = async (trx: Transaction, link: Link, start: string) => {
    const { redirect = start, linked_at } = link.data
    const data = linked_at ? { linked_at } : {}
    const { token } = await links.issue(trx, 'exchange', link.user_id, data)
    return rules.withCode(`${webUrl}${rules.isOwnView(redirect) ? redirect : '/'}`, token)
  }

  return {
    /** Takes the same path for every address, so that nothing tells which ones we know. */
    async request(request: rules.MailRequest): Promise<void> {
      await addJob(db, mailTask, request)
    },

    /** Mails what was asked for, if there is somebody to have it and they did not just get many. */
    async mail({ kind, email, user_id, ...wanted }: rules.MailRequest): Promise<void> {
      await transact(db, async (trx) => {
        const found = email
          ? await accounts.findByEmail(email, trx)
          : user_id && (await accounts.find(user_id, trx))
        const user = found && (await accounts.findToChange(trx, found.id))
        if (!user) return
        const purpose = rules.mailFor(kind, user)
        if (!purpose || user.email === null) return
        const since = new Date(now().getTime() - rules.mailsWithinMs)
        const mailed = await links.issuedTo(trx, purpose, user.email, since)
        if (mailed >= rules.mailsAtMost) return
        await mailLink(trx, { ...user, email: user.email }, purpose, wanted)
      })
    },

    /** The first mail of a new account; with another one's word for the address, it is asked all the same. */
    async welcome(trx: Transaction, user: User, { isActivated: isMade }: { isActivated: boolean }) {
      const purpose = rules.mailFor('sign_in', user) ?? 'confirm_email'
      if (user.email === null) return
      const since = new Date(now().getTime() - rules.welcomesWithinMs)
      const mailed = await links.issuedTo(trx, purpose, user.email, since)
      if (!isMade && mailed >= rules.mailsAtMost) throw new rules.TooManyMailsError()
      await mailLink(trx, { ...user, email: user.email }, purpose, { isMade })
    },

    /** Looks at a link without using it up. */
    async look(purpose: LinkPurpose, token: string) {
      const link = await links.peek(purpose, token)
      const user = link && (await accounts.find(link.user_id))
      if (!link || !user || user.deactivated_at) throw new rules.LinkGoneError()
      const hasSecondFactor = user.two_factor_auth.length > 0
      const isFirstAddress = user.email === null
      const email = link.data.email ?? user.email
      return { user_id: user.id, email, hasSecondFactor, isFirstAddress }
    },

    /** Whether a sign-in link was asked for in this browser. */
    async isFrom(token: string, browser: string): Promise<boolean> {
      return (await links.peek('magic_link', token))?.data.browser === browser
    },

    /** A sign-in link was opened at an application. */
    async signInTo<Opened>(token: string, open: (trx: Transaction, user: User) => Promise<Opened>) {
      return transact(db, async (trx) => open(trx, (await enter(trx, token)).user))
    },

    /** A sign-in link was opened. Answers a token with which the same person goes on. */
    async signIn(token: string): Promise<string> {
      return transact(db, async (trx) => {
        const { link, user } = await enter(trx, token)
        const { redirect } = link.data
        const data = { linked_at: now().toISOString(), ...(redirect ? { redirect } : {}) }
        return (await links.issue(trx, 'first_password', user.id, data)).token
      })
    },

    /** After signing in by link: sets the first password. Answers where to go: `start`, unless they were somewhere. */
    async choosePassword(token: string, password: string, start = '/'): Promise<string> {
      const seen = await links.peek('first_password', token)
      if (!seen) throw new rules.LinkGoneError()
      const hash = await accounts.hashGood(password, await accounts.load(seen.user_id))
      return transact(db, async (trx) => {
        const { link, user } = await follow(trx, 'first_password', token)
        if (user.password_hash !== null) throw new rules.LinkGoneError()
        // A mailbox alone is not enough for those who asked for more.
        if (user.two_factor_auth.length > 0) throw new rules.CodeFirstError()
        await accounts.setPassword(trx, user, hash)
        await audit.note(trx, 'password.set', { actor_id: user.id })
        await accounts.tell(trx, user, 'A password was set', rules.passwordSetSentence)
        return toWeb(trx, link, start)
      })
    },

    /** After signing in by link: goes on without a password. */
    async skipPassword(token: string, start = '/'): Promise<string> {
      return transact(db, async (trx) =>
        toWeb(trx, (await follow(trx, 'first_password', token)).link, start),
      )
    },

    /** Answers whose address it is, and where on the web site they were. */
    async confirmEmail(token: string): Promise<{ user_id: string; redirect: string | undefined }> {
      return transact(db, async (trx) => {
        const { link, user } = await follow(trx, 'confirm_email', token)
        await accounts.change(trx, user.id, { email_verified_at: user.email_verified_at ?? now() })
        await audit.note(trx, 'email.confirmed', { actor_id: user.id })
        return { user_id: user.id, redirect: link.data.redirect }
      })
    },

    /** Somebody else registered this mailbox: whatever they set up is gone. */
    async disown(token: string): Promise<void> {
      await transact(db, async (trx) => {
        const { user } = await follow(trx, 'confirm_email', token)
        await accounts.disown(trx, user.id)
        await accounts.change(trx, user.id, {
          password_hash: null,
          email_verified_at: null,
          claimed_at: null,
          first_name: null,
          last_name: null,
          source: null,
        })
        await audit.note(trx, 'account.disowned', { subject_id: user.id })
      })
    },

    /** What a "this was not me" link is about. */
    async lookAtNotice(token: string) {
      const link = await links.peek('not_me', token)
      const user = link && (await accounts.find(link.user_id))
      if (!link?.data.told || !user || user.deactivated_at) throw new rules.LinkGoneError()
      return { told: link.data.told, at: link.created_at, hasPassword: user.password_hash !== null }
    },

    /**
     * "This was not me": revokes all access and mails a password reset. Whoever got in may have the
     * password, so it ends as well; from here on the mailbox opens the account, by a link. Answers
     * whether there was one.
     */
    async disavow(token: string): Promise<{ hadPassword: boolean }> {
      return transact(db, async (trx) => {
        const { link, user } = await follow(trx, 'not_me', token)
        const { told: event, ...about } = link.data
        if (!event) throw new rules.LinkGoneError()
        const { created_at: since } = link
        await accounts.revoke(trx, user.id, { since, told: { ...about, event, at: since } })
        await audit.note(trx, 'access.revoked', { subject_id: user.id, details: { told: event } })
        const hadPassword = user.password_hash !== null
        if (hadPassword) {
          // Whose mailbox it is has been confirmed, and is shown now: nothing else is dropped later.
          const claimed_at = user.claimed_at ?? (user.email_verified_at ? now() : null)
          await accounts.change(trx, user.id, { password_hash: null, claimed_at })
          await addJob(trx, mailTask, { kind: 'reset_password', user_id: user.id })
        }
        return { hadPassword }
      })
    },

    async changeEmail(token: string): Promise<{ email: string; isFirst: boolean }> {
      return transact(db, async (trx) => {
        const { link, user } = await follow(trx, 'change_email', token)
        const email = link.data.email ?? ''
        const holder = await accounts.findByEmail(email, trx)
        if (!email || (holder && holder.id !== user.id)) throw new rules.LinkGoneError()
        const at = now()
        const change = { email, email_verified_at: at, claimed_at: at }
        await accounts.change(trx, user.id, change).catch((error) => {
          throw isDuplicate(error) ? new rules.LinkGoneError() : error
        })
        const isFirst = user.email === null
        // The old mailbox has no say any more.
        await links.voidAll(trx, user.id, ['undo_records', 'not_me', 'cancel_change', 'keep_delay'])
        await accounts.revoke(trx, user.id, {
          // Whose wallets and keys those are, another mailbox cannot tell.
          since: isFirst ? at : null,
          isNewMailbox: true,
          // A first address changes no owner, and a partner's flow returns with the same session.
          keepsSessions: isFirst,
        })
        await audit.note(trx, 'email.changed', { actor_id: user.id })
        if (user.email) {
          const template = 'email_changed_notice'
          await notifications.queueMail(trx, { to: user.email, template, params: {} })
        }
        return { email, isFirst }
      })
    },

    /** Revokes all access. The next login still needs the second factor. */
    async resetPassword(token: string, password: string): Promise<void> {
      const seen = await links.peek('reset_password', token)
      if (!seen) throw new rules.LinkGoneError()
      const hash = await accounts.hashGood(password, await accounts.load(seen.user_id))
      await transact(db, async (trx) => {
        const { user } = await follow(trx, 'reset_password', token)
        await claim(trx, user)
        await accounts.setPassword(trx, user, hash)
        const { email_verified_at: since } = user
        await accounts.revoke(trx, user.id, { since })
        // What the mailbox of before may still have.
        if (since) await links.voidOlder(trx, user.id, ['undo_records', 'not_me'], since)
        await audit.note(trx, 'password.reset', { actor_id: user.id })
        await accounts.tell(trx, user, 'Your password was changed', rules.resetSentence(since))
      })
    },
  }
}
