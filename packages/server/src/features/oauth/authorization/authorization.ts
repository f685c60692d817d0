import { bindUseCases } from '../../../platform/bind.ts'
import { choosePassword } from './choose-password.ts'
import type { Deps } from './deps.ts'
import { findLogin } from './find-login.ts'
import { formToken, isFormToken } from './form-token.ts'
import { giveCode, sendCode } from './give-code.ts'
import {
  acceptWebLogin,
  isRequestedBy,
  passOnLogin,
  requestLink,
  signInByLink,
  signInByPassword,
} from './sign-in.ts'
import { signOut } from './sign-out.ts'

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
