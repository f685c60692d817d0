import { transact } from '../../../platform/database/database.ts'
import { assertFresh, type Principal } from '../../operations/access/index.ts'
import { type Registration, readRegistration } from '../accounts/accounts.ts'
import { assertCaptcha, type Origin } from './check-captcha.ts'
import type { Deps } from './deps.ts'

export async function registerAccount(
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
    return sessions.openSession(trx, user.id, origin)
  })
}
