import { bindUseCases } from '../../../platform/bind.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Transaction } from '../../../tables.ts'
import { type Accounts, firstPasswordMs, type User } from '../../identity/accounts/accounts.ts'
import type { Login, Origin } from '../../identity/login/login.ts'
import type { Mailbox } from '../../identity/mailbox/mailbox.ts'
import type { SecondFactor } from '../../identity/second-factor/second-factor.ts'
import type { SiteSessions } from '../../identity/sessions/sessions.ts'
import {
  lacksSecondFactor,
  missingSecondFactor,
  type Principal,
} from '../../operations/access/access.ts'
import * as rules from './rules.ts'

export type Deps = {
  accounts: Accounts
  login: Login
  mailbox: Mailbox
  sessions: SiteSessions
  secondFactor: SecondFactor
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
  /** Signs the tokens of forms. */
  formKey: Buffer
  now: () => Date
}

export type Authorization = ReturnType<typeof createAuthorization>

/** Sign-ins at the authorization site. Its operations return handles for the session cookie. */
export function createAuthorization(deps: Deps) {
  return bindUseCases(deps, {
    formToken,
    isFormToken,
    findLogin,
    acceptWebLogin,
    passOnLogin,
    signInByPassword,
    requestLink,
    isRequestedBy,
    signInByLink,
    giveCode,
    sendCode,
    choosePassword,
    signOut,
  })
}

const formToken = ({ formKey }: Deps, browser: string) => rules.formToken(browser, formKey)

const isFormToken = ({ formKey }: Deps, token: string, browser: string | undefined) =>
  rules.isFormToken(token, browser, formKey)

type KnownLogin = {
  user: User
  principal: Principal
  owesCode: boolean
  mayChoosePassword: boolean
  /** Whether an operator has to set up a second factor first. */
  mustSetUpFactor: boolean
}

async function findLogin(deps: Deps, handle: string): Promise<KnownLogin | undefined> {
  const { sessions } = deps
  const open = await sessions.findSiteSession(handle)
  if (!open) return undefined
  const { user, principal, session } = open
  const mayChoosePassword = user.password_hash === null && isRecent(deps, session.linked_at)
  const owesCode = session.second_factor_due
  return {
    user,
    principal,
    owesCode,
    mayChoosePassword,
    mustSetUpFactor: mustSetUpFactor(deps, user),
  }
}

const isRecent = ({ now }: Deps, at: Date | null) =>
  at !== null && now().getTime() - at.getTime() <= firstPasswordMs

function mustSetUpFactor(deps: Deps, { role, two_factor_auth }: User): boolean {
  return (
    deps.operatorsNeedCodes && lacksSecondFactor({ role, provider: two_factor_auth[0] ?? null })
  )
}

/** Continues the sign-in of this browser at the web site. Without a browser, only uses the code up. */
const acceptWebLogin = (
  { login }: Deps,
  token: string,
  browser: string | undefined,
  { user_agent }: Origin,
) => login.acceptHandOver('authorization', token, browser, user_agent)

/** Lets the web site continue the sign-in of this browser. */
const passOnLogin = ({ login }: Deps, handle: string, browser: string) =>
  login.handOver('authorization', handle, browser)

const signInByPassword = ({ login }: Deps, email: string, password: string, origin: Origin) =>
  login.logInAtApplication({ email, password }, origin)

type RequestingApplication = { name: string; query: string; browser: string }

/** Takes the same path for every address, so that timing does not reveal which have accounts. */
async function requestLink({ mailbox }: Deps, email: string, application: RequestingApplication) {
  assertMailAddress(email)
  const browser = rules.browserHash(application.browser)
  await mailbox.requestLink({ kind: 'sign_in', email, application: { ...application, browser } })
}

const isRequestedBy = ({ mailbox }: Deps, token: string, browser: string): Promise<boolean> =>
  mailbox.isRequestedBy(token, rules.browserHash(browser))

function signInByLink(
  { mailbox, sessions, now }: Deps,
  token: string,
  { user_agent }: Origin,
): Promise<string> {
  return mailbox.signInToSite(token, (trx, { id }) =>
    sessions.openSiteSession(trx, id, { user_agent, linked_at: now() }),
  )
}

async function giveCode({ sessions }: Deps, handle: string, code: string): Promise<void> {
  if (!(await sessions.giveCode(handle, code))) throw rules.unknownHere()
}

async function sendCode(deps: Deps, handle: string) {
  const { secondFactor } = deps
  return secondFactor.sendCode((await loadLogin(deps, handle)).principal)
}

async function loadLogin({ sessions }: Deps, handle: string) {
  const open = await sessions.findSiteSession(handle)
  if (!open) throw rules.unknownHere()
  return open
}

/** Sets a first password, which ends every session; returns the handle of a new one. */
async function choosePassword(
  deps: Deps,
  handle: string,
  password: string,
  { address, user_agent }: Origin,
) {
  const { sessions, accounts } = deps
  const { principal, session, user } = await loadLogin(deps, handle)
  if (mustSetUpFactor(deps, user)) throw missingSecondFactor()
  // An earlier code does not count if the session owes another one since.
  if (session.second_factor_due) throw rules.pendingSecondFactor()
  const code_given_at = session.second_factor_at
  const reopen = (trx: Transaction) =>
    sessions.openSiteSession(trx, principal.user_id, {
      user_agent,
      ...(code_given_at ? { code_given_at } : {}),
    })
  const newHandle = await accounts.updateAccount(principal, { password }, address, reopen)
  if (newHandle === null) throw new Error('A new password ended no session')
  return newHandle
}

const signOut = ({ sessions }: Deps, handle: string): Promise<void> =>
  sessions.endSiteSession(handle)
