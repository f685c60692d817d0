import type { Deps } from './deps.ts'
import * as rules from './rules.ts'

/** The client of a request. */
export type Origin = {
  address: string
  user_agent: string | undefined
  /** The device cookie. */
  device?: string | undefined
}

type CaptchaSolution = { g_recaptcha_response?: string | null }

export async function checkCaptcha(
  { captcha }: Deps,
  { g_recaptcha_response }: CaptchaSolution,
  { address }: Origin,
) {
  const outcome = await captcha(g_recaptcha_response ?? undefined, address)
  if (outcome === 'refused') throw rules.wrongCaptcha()
  return outcome
}

export async function assertCaptcha(deps: Deps, body: CaptchaSolution, origin: Origin) {
  if ((await checkCaptcha(deps, body, origin)) === 'away') throw rules.unavailableCaptcha()
}
