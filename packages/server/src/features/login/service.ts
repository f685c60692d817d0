import type { Captcha } from '../../platform/captcha/captcha.ts'
import { transact } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/network.ts'
import { assertMailAddress } from '../../platform/mail/address.ts'
import type { Passwords } from '../../platform/passwords/passwords.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, type Principal } from '../access/index.ts'
import {
  type Accounts,
  assertHashable,
  loginNameOf,
  type Registration,
  readRegistration,
} from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import { type Mailbox, readRedirect } from '../mailbox/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { SiteSessions } from '../site-sessions/index.ts'
import type { Throttle } from '../throttle/index.ts'
import { createDevices } from './devices.ts'
import * as rules from './rules.ts'
import type { LoginBody, MagicLinkBody, ResetBody } from './schema.ts'

export type Login = ReturnType<typeof createLogin>

type Options = {
  db: Database
  accounts: Accounts
  sessions: Sessions
  /** Those of the authorization site. */
  atApplications: SiteSessions
  mailbox: Mailbox
  throttle: Throttle
  audit: Audit
  passwords: Passwords
  captcha: Captcha
  deviceKey: Buffer
}

/** Where a request comes from. */
export type Origin = {
  address: string
  user_agent: string | undefined
  /** The device cookie. */
  device?: string | undefined
}

/** The new session, and the device cookie to set. */
type Entered<Opened> = { opened: Opened; device: string }

/** The ways in: registering, a password, a mailed link. */
export function createLogin(options: Options) {
  const { db, accounts, sessions, atApplications, mailbox, throttle, audit } = options
  const { passwords, captcha } = options
  const devices = createDevices(options.deviceKey)

  type Solved = { g_recaptcha_response?: string | null }
  const checkCaptcha = async ({ g_recaptcha_response }: Solved, { address }: Origin) => {
    const outcome = await captcha(g_recaptcha_response ?? undefined, address)
    if (outcome === 'refused') throw new rules.CaptchaError()
    return outcome
  }
  const assertCaptcha = async (body: Solved, origin: Origin) => {
    if ((await checkCaptcha(body, origin)) === 'away') throw new rules.CaptchaAwayError()
  }

  const findByName = (name: rules.LoginName) =>
    'email' in name
      ? accounts.findByEmail(name.email)
      : accounts.findByAlternateId(name.alternate_id)
  /** The device, if it logged in to the account of this name before. */
  const knownDevice = async (text: string | undefined, name: string) => {
    const device = devices.read(text)
    const user = device && (await accounts.find(device.user_id))
    return user && loginNameOf(user) === name && device.isOf(user) ? device : undefined
  }

  /** One answer, and one effort, for everybody who does not get in. */
  const enter = async <Opened>(
    body: LoginBody,
    origin: Origin,
    isStrict: () => Promise<boolean>,
    open: (trx: Transaction, user_id: string, origin: Origin) => Promise<Opened>,
  ): Promise<Entered<Opened>> => {
    const login = rules.readLoginName(body)
    assertHashable(body.password)
    const name = loginNameOf({ email: null, alternate_id: null, ...login })
    const network = networkOf(origin.address)
    const device = await knownDevice(origin.device, name)
    const subjects = rules.loginSubjects({ name, network, device, isStrict: await isStrict() })
    // Before the queue as well: whoever has to wait takes no place in it from others.
    await throttle.assertOpen(...subjects)
    const checked = await passwords.attempt(async (matches) => {
      await throttle.assertOpen(...subjects)
      const user = await findByName(login)
      const isRight = await matches(user?.password_hash, body.password)
      if (user && isRight && !user.deactivated_at) return user
      await throttle.noteFailure(...subjects)
      const details = 'email' in login ? { by: 'email' } : { by: 'alternate_id' }
      const subject_id = user?.id ?? null
      await audit.note(db, 'login.password', { result: 'refused', subject_id, details })
      throw new rules.WrongCredentialsError()
    })
    await throttle.forgive(subjects[0])
    const opened = await transact(db, async (trx) => {
      const user = await accounts.findToChange(trx, checked.id)
      const isAsChecked = user?.password_hash === checked.password_hash
      if (!user || user.deactivated_at || !isAsChecked) throw new rules.WrongCredentialsError()
      await audit.note(trx, 'login.password', { actor_id: user.id })
      return open(trx, user.id, origin)
    })
    return { opened, device: devices.textFor(checked, device) }
  }

  return {
    async register(body: Registration, origin: Origin, caller: Principal | undefined) {
      const account = readRegistration(body, caller)
      if (account.isActivated && caller) assertFresh(caller, true)
      await assertCaptcha(body, origin)
      await accounts.assertFree(account)
      const { password } = account
      const hash = password === null ? null : await accounts.hashGood(password, account)
      return transact(db, async (trx) => {
        const user = await accounts.create(trx, account, hash, caller)
        await mailbox.welcome(trx, user, account)
        return sessions.open(trx, user.id, origin)
      })
    },

    async logIn(body: LoginBody, origin: Origin) {
      const isStrict = async () => (await checkCaptcha(body, origin)) === 'away'
      return enter(body, origin, isStrict, sessions.open)
    },

    /** On a page without scripts, which cannot show a captcha. */
    logInAtApplication: (body: LoginBody, origin: Origin) =>
      enter(body, origin, async () => false, atApplications.open),

    async requestLink(body: MagicLinkBody, origin: Origin) {
      const redirect = readRedirect(body.redirect)
      const { email, user_id } = body
      if (email) assertMailAddress(email)
      else if (!user_id) throw new rules.NoMailboxError()
      await assertCaptcha(body, origin)
      const to = email ? { email } : { user_id: user_id ?? '' }
      await mailbox.request({ kind: 'sign_in', ...to, ...(redirect ? { redirect } : {}) })
      return rules.linkAnswer
    },

    async requestReset(body: ResetBody, origin: Origin) {
      assertMailAddress(body.email)
      await assertCaptcha(body, origin)
      await mailbox.request({ kind: 'reset_password', email: body.email })
      return rules.linkAnswer
    },

    /** Tokens for the code that a page of ours was called with after a link. */
    async exchange(code: string, origin: Origin) {
      return transact(db, async (trx) => {
        const found = await accounts.follow(trx, 'exchange', code)
        if (!found) throw new rules.InvalidCodeError()
        const { link, user } = found
        const { linked_at } = link.data
        return sessions.open(trx, user.id, {
          ...origin,
          ...(linked_at ? { linked_at: new Date(linked_at) } : {}),
        })
      })
    },
  }
}
