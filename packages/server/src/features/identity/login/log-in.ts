import { transact } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/http/network.ts'
import type { Transaction } from '../../../tables.ts'
import { assertHashable, loginNameOf } from '../accounts/accounts.ts'
import { checkCaptcha, type Origin } from './check-captcha.ts'
import type { Deps } from './deps.ts'
import { readDeviceCookie, signDeviceCookie } from './devices.ts'
import * as rules from './rules.ts'
import type { LoginBody } from './schema.ts'

/** The new session, and the device cookie to set. */
type LoginResult<Opened> = { opened: Opened; device: string }

export async function logIn(deps: Deps, body: LoginBody, origin: Origin) {
  const { sessions } = deps
  const isStrict = async () => (await checkCaptcha(deps, body, origin)) === 'away'
  return logInWithPassword(deps, body, origin, isStrict, sessions.openSession)
}

/** The sign-in page of applications has no scripts, so it cannot show a captcha. */
export const logInAtApplication = (deps: Deps, body: LoginBody, origin: Origin) =>
  logInWithPassword(deps, body, origin, async () => false, deps.atApplications.openSiteSession)

function findByLoginName({ accounts }: Deps, name: rules.LoginName) {
  return 'email' in name
    ? accounts.findByEmail(name.email)
    : accounts.findByAlternateId(name.alternate_id)
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

/**
 * Refuses every failed sign-in with the same response after the same time, to reveal nothing about
 * the account.
 */
async function logInWithPassword<Opened>(
  deps: Deps,
  body: LoginBody,
  origin: Origin,
  isStrict: () => Promise<boolean>,
  open: (trx: Transaction, user_id: string, origin: Origin) => Promise<Opened>,
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
  const checked = await passwords.attempt(async (matches) => {
    await throttle.assertNotBlocked(...subjects)
    const user = await findByLoginName(deps, login)
    const isMatch = await matches(user?.password_hash, body.password)
    if (user && isMatch && !user.deactivated_at) return user
    await throttle.countFailure(...subjects)
    const details = 'email' in login ? { by: 'email' } : { by: 'alternate_id' }
    const subject_id = user?.id ?? null
    await audit.writeEntry(db, 'login.password', { result: 'refused', subject_id, details })
    throw rules.wrongCredentials()
  })
  await throttle.clearFailures(subjects[0])
  const newSession = await transact(db, async (trx) => {
    const user = await accounts.findAccountToChange(trx, checked.id)
    const isUnchanged = user?.password_hash === checked.password_hash
    if (!user || user.deactivated_at || !isUnchanged) throw rules.wrongCredentials()
    await audit.writeEntry(trx, 'login.password', { actor_id: user.id })
    return open(trx, user.id, origin)
  })
  return { opened: newSession, device: signDeviceCookie(deviceKey, checked, device) }
}
