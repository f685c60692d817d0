import { assertMailAddress } from '../../platform/mail/address.ts'
import type { Transaction } from '../../tables.ts'
import { lacksSecondFactor, SecondFactorMissingError } from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Login, Origin } from '../login/index.ts'
import type { Mailbox } from '../mailbox/index.ts'
import type { SiteSessions } from '../site-sessions/index.ts'
import type { SecondFactor } from '../two-factor/index.ts'
import * as rules from './rules.ts'

export type Authorization = ReturnType<typeof createAuthorization>
export type Known = {
  user: User
  owesCode: boolean
  mayChoosePassword: boolean
  /** An operator who has to set up a second factor first. */
  isHeldUp: boolean
}

type Asking = { name: string; query: string; browser: string }
type Options = {
  accounts: Accounts
  login: Login
  mailbox: Mailbox
  sessions: SiteSessions
  secondFactor: SecondFactor
  /** Whether administrators do nothing without a second factor. */
  operatorsNeedCodes: boolean
  /** Signs what forms carry. */
  formKey: Buffer
  now: () => Date
}

const firstPasswordMs = 15 * 60_000

/** How the authorization site knows people: what is behind its two cookies. Answers handles for the first. */
export function createAuthorization(options: Options) {
  const { accounts, login, mailbox, sessions, secondFactor, formKey, now } = options
  const isHeldUp = ({ role, two_factor_auth }: User): boolean =>
    options.operatorsNeedCodes && lacksSecondFactor({ role, provider: two_factor_auth[0] ?? null })
  const load = async (handle: string) => {
    const found = await sessions.find(handle)
    if (!found) throw new rules.UnknownHereError()
    return found
  }
  const isRecent = (at: Date | null) =>
    at !== null && now().getTime() - at.getTime() <= firstPasswordMs

  return {
    formToken: (browser: string) => rules.formToken(browser, formKey),
    isForm: (token: string, browser: string | undefined) => rules.isForm(token, browser, formKey),

    async find(handle: string): Promise<Known | undefined> {
      const found = await sessions.find(handle)
      if (!found) return undefined
      const { user, session } = found
      const mayChoosePassword = user.password_hash === null && isRecent(session.linked_at)
      const owesCode = session.second_factor_due
      return { user, owesCode, mayChoosePassword, isHeldUp: isHeldUp(user) }
    },

    byPassword: (email: string, password: string, origin: Origin) =>
      login.logInAtApplication({ email, password }, origin),

    /** Takes the same path for every address, so that nothing tells which ones we know. */
    async requestLink(email: string, application: Asking) {
      assertMailAddress(email)
      const browser = rules.browserHash(application.browser)
      await mailbox.request({ kind: 'sign_in', email, application: { ...application, browser } })
    },

    isAskedBy: (token: string, browser: string): Promise<boolean> =>
      mailbox.isFrom(token, rules.browserHash(browser)),

    byLink: (token: string, { user_agent }: Origin): Promise<string> =>
      mailbox.signInTo(token, (trx, { id }) =>
        sessions.open(trx, id, { user_agent, linked_at: now() }),
      ),

    async giveCode(handle: string, code: string): Promise<void> {
      if (!(await sessions.giveCode(handle, code))) throw new rules.UnknownHereError()
    },

    async sendCode(handle: string) {
      return secondFactor.sendCode((await load(handle)).principal)
    },

    /** Every session ends with a new password, this one too: answers the next. */
    async choosePassword(handle: string, password: string, { user_agent }: Origin) {
      const { principal, session, user } = await load(handle)
      if (isHeldUp(user)) throw new SecondFactorMissingError()
      // One that was given before says nothing when another is owed since.
      if (session.second_factor_due) throw new rules.CodeOwedError()
      const code_given_at = session.second_factor_at
      const reopen = (trx: Transaction) =>
        sessions.open(trx, principal.user_id, {
          user_agent,
          ...(code_given_at ? { code_given_at } : {}),
        })
      const handleAfter = await accounts.update(principal, { password }, reopen)
      if (handleAfter === null) throw new Error('A new password ended no session')
      return handleAfter
    },

    leave: (handle: string): Promise<void> => sessions.end(handle),
  }
}
