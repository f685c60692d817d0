import { isCurrency } from '@emojid/core'
import { inField, refusal, refusalIn } from '../../../platform/errors.ts'
import { isReadable, isWebLink, isWithin } from '../../../platform/http/web-link.ts'
import type { NewBranding } from './schema.ts'

/** Schemes that browsers and systems give a meaning of their own: none is an app of a partner. */
const takenSchemes = new Set([
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
 * Everything that a branding says; what is not given is not kept from before. What an earlier one
 * has among its currencies stays good, though it is none that we know.
 */
export function readBranding(given: NewBranding, authUrl: string, agreed: readonly string[] = []) {
  const { currencies, return_link, requires_email = false } = given
  const unknown = currencies.find((one) => !isCurrency(one) && !agreed.includes(one))
  if (unknown !== undefined) throw unknownCurrency(unknown)
  const { logo = null, logo_small = null, logo_thumbnail = null } = given
  // Who comes from a page of ours to that site is believed to have chosen to.
  const isOurs = isWebLink(return_link) && isWithin(authUrl, return_link)
  if (isOurs || !isReturnLink(return_link)) throw wrongLink('return_link', ofReturnLinks)
  for (const [field, link] of Object.entries({ logo, logo_small, logo_thumbnail })) {
    if (link !== null && !isWebLink(link)) throw wrongLink(field, ofPictures)
  }
  return { currencies, return_link, requires_email, logo, logo_small, logo_thumbnail }
}

/** A page, or an app that says so by a scheme of its own. */
function isReturnLink(text: string): boolean {
  if (isWebLink(text)) return true
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]*):\/\/[^@#]+$/i.exec(text) ?? []
  const isOwn = scheme !== '' && !/^(https?$|ms-)/i.test(scheme)
  return isOwn && !takenSchemes.has(scheme.toLowerCase()) && isReadable(text)
}

const ofPictures =
  'Give a whole https:// address without user name, password or fragment, percent-encoded.'
const ofReturnLinks = `${ofPictures} The scheme of an app, such as wallet://, does too.`

const unknownCurrency = (currency: string) =>
  refusalIn(
    'currencies',
    'refused',
    'unknown_currency',
    `“${currency}” is no currency that we know. Give tickers or tags, such as BTC or 0x1003.`,
  )

const wrongLink = (field: string, message: string) =>
  refusal('refused', 'wrong_link', message, inField(field, 'wrong_link', message))

export const unknownPartner = () =>
  refusal('not_found', 'unknown_partner', 'There is no partner of this name.')
