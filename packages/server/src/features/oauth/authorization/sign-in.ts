import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Origin } from '../../identity/login/index.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

type RequestingApplication = { name: string; query: string; browser: string }

export const signInByPassword = (
  { login }: Deps,
  email: string,
  password: string,
  origin: Origin,
) => login.logInAtApplication({ email, password }, origin)

/** Takes the same path for every address, so that timing does not reveal which have accounts. */
export async function requestLink(
  { mailbox }: Deps,
  email: string,
  application: RequestingApplication,
) {
  assertMailAddress(email)
  const browser = rules.browserHash(application.browser)
  await mailbox.requestLink({ kind: 'sign_in', email, application: { ...application, browser } })
}

export const isRequestedBy = (
  { mailbox }: Deps,
  token: string,
  browser: string,
): Promise<boolean> => mailbox.isRequestedBy(token, rules.browserHash(browser))

/** Continues the sign-in of this browser at the web site. Without a browser, only uses the code up. */
export const acceptWebLogin = (
  { login }: Deps,
  token: string,
  browser: string | undefined,
  { user_agent }: Origin,
) => login.acceptHandOver('authorization', token, browser, user_agent)

/** Lets the web site continue the sign-in of this browser. */
export const passOnLogin = ({ login }: Deps, handle: string, browser: string) =>
  login.handOver('authorization', handle, browser)

export function signInByLink(
  { mailbox, sessions, now }: Deps,
  token: string,
  { user_agent }: Origin,
): Promise<string> {
  return mailbox.signInToSite(token, (trx, { id }) =>
    sessions.openSiteSession(trx, id, { user_agent, linked_at: now() }),
  )
}
