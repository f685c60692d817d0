import { bindUseCases } from '../../../platform/bind.ts'
import type { Captcha } from '../../../platform/captcha/captcha.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Passwords } from '../../../platform/passwords/passwords.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { assertFresh, type Principal } from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import {
  type Accounts,
  assertHashable,
  loginNameOf,
  type Registration,
  readRegistration,
  type User,
} from '../accounts/accounts.ts'
import type { Links } from '../links/links.ts'
import { type Mailbox, readRedirect } from '../mailbox/mailbox.ts'
import type { Sessions, SiteSessions } from '../sessions/sessions.ts'
import type { Throttle } from '../throttle/throttle.ts'
import { readDeviceCookie, signDeviceCookie } from './devices.ts'
import type { LoginBody, MagicLinkBody, ResetBody } from './routes.ts'
import * as rules from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  sessions: Sessions
  /** The sessions of the authorization site. */
  atApplications: SiteSessions
  /** The sessions of the web site. */
  webSessions: SiteSessions
  links: Links
  mailbox: Mailbox
  throttle: Throttle
  audit: Audit
  passwords: Passwords
  captcha: Captcha
  /** Signs device cookies. */
  deviceKey: Buffer
}

export type Login = ReturnType<typeof createLogin>

/** Registration, sign-in by password, sign-in by emailed link. */
export function createLogin(deps: Deps) {
  return bindUseCases(deps, {
    registerAccount,
    logIn,
    logInAtApplication,
    requestSignInLink,
    requestPasswordReset,
    exchangeCode,
    handOver,
    acceptHandOver,
    signOutAt,
    assertCaptcha,
  })
}

/** The client of a request. */
export type Origin = {
  address: string
  user_agent: string | undefined
  /** The device cookie. */
  device?: string | undefined
}

async function registerAccount(
  deps: Deps,
  body: Registration,
  origin: Origin,
  caller: Principal | undefined,
) {
  const { accounts, db, mailbox, sessions } = deps
  const account = readRegistration(body, caller)
  if (account.isActivated && caller) assertFresh(caller, 'code_or_nothing')
  await assertCaptcha(deps, body, origin)
  await accounts.assertNameUnused(account, { address: origin.address, caller })
  const { password } = account
  const hash = password === null ? null : await accounts.hashAcceptablePassword(password, account)
  return transact(db, async (trx) => {
    const user = await accounts.createAccount(trx, account, hash, caller)
    await mailbox.mailWelcome(trx, user, account)
    return sessions.openSessionOf(trx, user, origin)
  })
}

async function logIn(deps: Deps, body: LoginBody, origin: Origin) {
  const { sessions } = deps
  const isStrict = async () => (await checkCaptcha(deps, body, origin)) === 'away'
  return logInWithPassword(deps, body, origin, isStrict, sessions.openSessionOf)
}

type CaptchaSolution = { g_recaptcha_response?: string | null }

async function checkCaptcha(
  { captcha }: Deps,
  { g_recaptcha_response }: CaptchaSolution,
  { address }: Origin,
) {
  const outcome = await captcha(g_recaptcha_response ?? undefined, address)
  if (outcome === 'refused') throw rules.wrongCaptcha()
  return outcome
}

/** The new session, and the device cookie to set. */
type LoginResult<Opened> = { opened: Opened; device: string }

/**
 * Refuses every failed sign-in with the same response after the same time, to reveal nothing about
 * the account.
 */
async function logInWithPassword<Opened>(
  deps: Deps,
  body: LoginBody,
  origin: Origin,
  isStrict: () => Promise<boolean>,
  open: (trx: Transaction, user: User, origin: Origin) => Promise<Opened>,
): Promise<LoginResult<Opened>> {
  const { throttle, passwords, audit, db, accounts, deviceKey } = deps
  const login = rules.readLoginName(body)
  assertHashable(body.password)
  const name = loginNameOf({ email: null, alternate_id: null, ...login })
  const network = networkOf(origin.address)
  const device = await findKnownDevice(deps, origin.device, name)
  const subjects = rules.loginSubjects({ name, network, device, isStrict: await isStrict() })
  // Also checked before the password queue, so that throttled requests take no place in it.
  await throttle.assertNotBlocked(...subjects)
  const { checked, failed } = await passwords.attempt(async (matches) => {
    const failed = await throttle.assertNotBlocked(...subjects)
    const user = await findByLoginName(deps, login)
    const isMatch = await matches(user?.password_hash, body.password)
    if (user && isMatch && !user.deactivated_at) return { checked: user, failed }
    await throttle.countFailure(...subjects)
    const details = 'email' in login ? { by: 'email' } : { by: 'alternate_id' }
    const subject_id = user?.id ?? null
    await audit.writeEntry(db, 'login.password', { result: 'refused', subject_id, details })
    throw rules.wrongCredentials()
  })
  if (failed.includes(subjects[0])) await throttle.clearFailures(subjects[0])
  const newSession = await transact(db, async (trx) => {
    const user = await accounts.findAccountToChange(trx, checked.id)
    const isUnchanged = user?.password_hash === checked.password_hash
    if (!user || user.deactivated_at || !isUnchanged) throw rules.wrongCredentials()
    await audit.writeEntry(trx, 'login.password', { actor_id: user.id })
    return open(trx, user, origin)
  })
  return { opened: newSession, device: signDeviceCookie(deviceKey, checked, device) }
}

/** The device, if it has signed in to this account before. */
async function findKnownDevice(
  { accounts, deviceKey }: Deps,
  text: string | undefined,
  name: string,
) {
  const device = readDeviceCookie(deviceKey, text)
  const user = device && (await accounts.findAccount(device.user_id))
  return user && loginNameOf(user) === name && device.isOf(user) ? device : undefined
}

function findByLoginName({ accounts }: Deps, name: rules.LoginName) {
  return 'email' in name
    ? accounts.findByEmail(name.email)
    : accounts.findByAlternateId(name.alternate_id)
}

/** The sign-in page of applications has no scripts, so it cannot show a captcha. */
const logInAtApplication = (deps: Deps, body: LoginBody, origin: Origin) =>
  logInWithPassword(
    deps,
    body,
    origin,
    async () => false,
    (trx, { id }) => deps.atApplications.openSiteSession(trx, id, origin),
  )

async function requestSignInLink(deps: Deps, body: MagicLinkBody, origin: Origin) {
  const { mailbox } = deps
  const redirect = readRedirect(body.redirect)
  const { email, user_id } = body
  if (email) assertMailAddress(email)
  else if (!user_id) throw rules.missingMailbox()
  await assertCaptcha(deps, body, origin)
  const to = email ? { email } : { user_id: user_id ?? '' }
  await mailbox.requestLink({ kind: 'sign_in', ...to, ...(redirect ? { redirect } : {}) })
  return rules.linkAnswer
}

async function requestPasswordReset(deps: Deps, body: ResetBody, origin: Origin) {
  const { mailbox } = deps
  assertMailAddress(body.email)
  await assertCaptcha(deps, body, origin)
  await mailbox.requestLink({ kind: 'reset_password', email: body.email })
  return rules.linkAnswer
}

/** Exchanges the code from an emailed link for tokens. */
async function exchangeCode({ db, accounts, sessions }: Deps, code: string, origin: Origin) {
  return transact(db, async (trx) => {
    const followed = await accounts.takeLink(trx, 'exchange', code)
    if (!followed) throw rules.expiredCode()
    const { link, user } = followed
    const { linked_at, claimed_epoch } = link.data
    return sessions.openSession(trx, user.id, {
      ...origin,
      ...(linked_at ? { linked_at: new Date(linked_at) } : {}),
      ...(claimed_epoch === undefined ? {} : { claimed_epoch }),
    })
  })
}

type Site = 'authorization' | 'web'

const other: Record<Site, Site> = { authorization: 'web', web: 'authorization' }

/**
 * Issues a one-use code with which the other site continues the session of this browser. Returns
 * undefined for a browser that is not signed in, or still owes a code.
 */
async function handOver(deps: Deps, from: Site, handle: string, browser: string) {
  const { db, links } = deps
  const signIn = await sessionsAt(deps, from).findSiteSession(handle)
  if (!signIn || signIn.session.second_factor_due) return undefined
  const data = { browser, session_id: signIn.session.id, site: other[from] }
  return transact(db, async (trx) => {
    const { token } = await links.issueLink(trx, 'hand_over', signIn.user.id, data)
    return token
  })
}

const sessionsAt = ({ atApplications, webSessions }: Deps, site: Site): SiteSessions =>
  site === 'web' ? webSessions : atApplications

/**
 * Returns the handle of the new session; undefined if the code is for another browser or site. Every
 * presented code is used up, also without a browser to accept it.
 */
async function acceptHandOver(
  deps: Deps,
  to: Site,
  token: string,
  browser: string | undefined,
  user_agent: string | undefined,
): Promise<string | undefined> {
  const { db, accounts } = deps
  return transact(db, async (trx) => {
    const followedLink = await accounts.takeLink(trx, 'hand_over', token)
    const { session_id, site, browser: expected } = followedLink?.link.data ?? {}
    // The link is used up in any case, and the transaction commits that.
    const isForBrowser = browser !== undefined && expected === browserHash(browser)
    if (!followedLink || !session_id || site !== to || !isForBrowser) return undefined
    return sessionsAt(deps, to).continueFromSite(trx, session_id, user_agent)
  })
}

/** Identifies a browser at the other site, which does not see its cookie. */
export const browserHash = (name: string): string => sha256(name).toString('base64url')

/** Ends the session of this browser at one of our sites, and all that belong to it. */
const signOutAt = (deps: Deps, site: Site, handle: string): Promise<void> =>
  sessionsAt(deps, site).endSiteSession(handle)

async function assertCaptcha(deps: Deps, body: CaptchaSolution, origin: Origin) {
  if ((await checkCaptcha(deps, body, origin)) === 'away') throw rules.unavailableCaptcha()
}
