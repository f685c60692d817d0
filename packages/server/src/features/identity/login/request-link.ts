import { assertMailAddress } from '../../../platform/mail/address.ts'
import { readRedirect } from '../mailbox/mailbox.ts'
import { assertCaptcha, type Origin } from './check-captcha.ts'
import type { Deps } from './deps.ts'
import * as rules from './rules.ts'
import type { MagicLinkBody, ResetBody } from './schema.ts'

export async function requestSignInLink(deps: Deps, body: MagicLinkBody, origin: Origin) {
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

export async function requestPasswordReset(deps: Deps, body: ResetBody, origin: Origin) {
  const { mailbox } = deps
  assertMailAddress(body.email)
  await assertCaptcha(deps, body, origin)
  await mailbox.requestLink({ kind: 'reset_password', email: body.email })
  return rules.linkAnswer
}
