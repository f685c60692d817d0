import { bindUseCases } from '../../../platform/bind.ts'
import { choosePassword } from './choose-password.ts'
import type { Deps } from './deps.ts'
import { findLogin } from './find-login.ts'
import { formToken, isFormToken } from './form-token.ts'
import { giveCode, sendCode } from './give-code.ts'
import { isAskedBy, requestLink, signInByLink, signInByPassword } from './sign-in.ts'
import { signOut } from './sign-out.ts'

export type Authorization = ReturnType<typeof createAuthorization>

/**
 * Logins at the authorization site, behind its two cookies. Returns handles for the session cookie.
 */
export function createAuthorization(deps: Deps) {
  return bindUseCases(deps, {
    formToken,
    isFormToken,
    findLogin,
    signInByPassword,
    requestLink,
    isAskedBy,
    signInByLink,
    giveCode,
    sendCode,
    choosePassword,
    signOut,
  })
}
