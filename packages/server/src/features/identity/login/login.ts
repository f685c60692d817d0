import { bindUseCases } from '../../../platform/bind.ts'
import { assertCaptcha } from './check-captcha.ts'
import type { Deps } from './deps.ts'
import { exchangeCode } from './exchange-code.ts'
import { acceptHandOver, handOver, signOutAt } from './hand-over.ts'
import { logIn, logInAtApplication } from './log-in.ts'
import { registerAccount } from './register-account.ts'
import { requestPasswordReset, requestSignInLink } from './request-link.ts'

export type { Origin } from './check-captcha.ts'
export { browserHash } from './hand-over.ts'

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
