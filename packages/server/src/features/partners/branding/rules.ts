import { isCurrency } from '@emojid/core'
import { inField, refusal, refusalIn } from '../../../platform/errors.ts'
import { isReadable, isWebLink, isWithin } from '../../../platform/http/pages/links.ts'
import { quote } from '../../../platform/mail/quote.ts'
import type { NewBranding } from './routes.ts'

/** Schemes that browsers and operating systems handle themselves. */
const reservedSchemes = new Set([
  'javascript',
  'vbscript',
  'data',
  'file',
  'blob',
  'filesystem',
  'about',
  'view-source',
  'chrome',
  'chrome-extension',
  'moz-extension',
  'edge',
  'resource',
  'jar',
  'intent',
  'content',
  'android-app',
  'ws',
  'wss',
  'ftp',
  'ftps',
  'sftp',
  'ssh',
  'telnet',
  'smb',
  'nfs',
  'gopher',
  'ldap',
  'ldaps',
  'mailto',
  'tel',
  'sms',
  'urn',
  'cid',
  'shell',
  'search-ms',
  'vnc',
])

/**
 * Reads a whole branding; absent members get defaults. Accepts unknown currencies that an earlier
 * branding has.
 */
export function readBranding(body: NewBranding, authUrl: string, earlier: readonly string[] = []) {
  const { currencies, return_link, requires_email = false } = body
  const unknown = currencies.find((one) => !isCurrency(one) && !earlier.includes(one))
  if (unknown !== undefined) throw unknownCurrency(unknown)
  const { logo = null, logo_small = null, logo_thumbnail = null } = body
  // The authorization site trusts navigation from our own pages, so no link may lead there.
  const isAuthSite = isWebLink(return_link) && isWithin(authUrl, return_link)
  if (isAuthSite || !isReturnLink(return_link)) throw wrongLink('return_link', returnLinkHint)
  for (const [field, link] of Object.entries({ logo, logo_small, logo_thumbnail })) {
    if (link !== null && !isWebLink(link)) throw wrongLink(field, pictureHint)
  }
  return { currencies, return_link, requires_email, logo, logo_small, logo_thumbnail }
}

/** Accepts a web page, or an app with a custom scheme. */
function isReturnLink(text: string): boolean {
  if (isWebLink(text)) return true
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\/[^@#]+$/i.exec(text) ?? []
  const isCustom = scheme !== '' && !/^(https?$|ms-)/i.test(scheme)
  return isCustom && !reservedSchemes.has(scheme.toLowerCase()) && isReadable(text)
}

/** For the email to the owners: an intruder could redirect users and their tokens. */
export const newLinkSentence = (name: string, return_link: string): string =>
  `Our pages now return the users of ${quote(name)} to ${return_link}. Visits that began before keep the former link. If no owner of your organization did this, contact our support now.`

const pictureHint =
  'Use a full https:// address, percent-encoded, without user name, password or fragment.'
const returnLinkHint = `${pictureHint} A custom app scheme, such as wallet://, works too.`

const unknownCurrency = (currency: string) =>
  refusalIn(
    'currencies',
    'refused',
    'unknown_currency',
    `We don’t know the currency “${currency}”. Use tickers or tags, such as BTC or 0x1003.`,
  )

const wrongLink = (field: string, message: string) =>
  refusal('refused', 'wrong_link', message, inField(field, 'wrong_link', message))

export const unknownPartner = () =>
  refusal('not_found', 'unknown_partner', 'No partner has this name.')
