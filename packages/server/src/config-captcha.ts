import {
  addressWith,
  captchaKey,
  type Reading,
  reportStrays,
  scriptAddress,
  wordList,
} from './config-values.ts'
import type { CaptchaWidget } from './platform/captcha/captcha.ts'

export type Recaptcha = Readonly<{
  url: string
  secret: string
  hostnames: readonly string[]
  /** Absent if this process serves no pages. */
  widget: CaptchaWidget | undefined
}>

type Options = Reading & {
  /** True if this process serves our own pages. */
  hasPages: boolean
  web_url: string
}

const usualScript = 'https://www.google.com/recaptcha/api.js'
const usualCheck = 'https://www.google.com/recaptcha/api/siteverify'

/** A required captcha needs a widget, and a widget needs its check. */
export function readRecaptcha({ hasPages, web_url, ...reading }: Options) {
  const { read, problems } = reading
  const knownCount = problems.length
  const secret = read('RECAPTCHA_SECRET', undefined, String)
  const site_key = read('RECAPTCHA_SITE_KEY', undefined, captchaKey)
  const script_url = read('RECAPTCHA_SCRIPT_URL', usualScript, scriptAddress)
  const isWrong = problems.length > knownCount
  if (secret !== undefined && site_key === undefined && hasPages && !isWrong) {
    problems.push(
      'RECAPTCHA_SECRET requires a captcha that our own pages cannot show: ' +
        'give RECAPTCHA_SITE_KEY as well.',
    )
  }
  if (secret === undefined && site_key !== undefined) {
    problems.push(
      'RECAPTCHA_SITE_KEY shows a captcha that the service does not check: ' +
        'give RECAPTCHA_SECRET as well.',
    )
  }
  const ways = ['RECAPTCHA_URL', 'RECAPTCHA_HOSTNAMES', 'RECAPTCHA_SCRIPT_URL']
  reportStrays(reading, ways, 'RECAPTCHA_SECRET')
  if (secret === undefined) return undefined
  return {
    secret,
    url: read('RECAPTCHA_URL', usualCheck, addressWith('https:', 'http:')),
    hostnames: read('RECAPTCHA_HOSTNAMES', [new URL(web_url).hostname], wordList),
    widget: site_key === undefined ? undefined : { site_key, script_url },
  }
}
