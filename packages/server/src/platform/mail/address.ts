import { inField, refusal } from '../errors.ts'

const longestAddress = 254
const longestLocalPart = 64
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const plainAddress = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[^.]*[A-Za-z])${label}$`,
)

/** Mail programs read lists, names, groups and line breaks out of an address: none of that passes. */
export function isPlainAddress(text: string): boolean {
  const isShort = text.length <= longestAddress && text.indexOf('@') <= longestLocalPart
  return isShort && plainAddress.test(text)
}

declare const proven: unique symbol
/** Exactly one plain address, such as name@example.com. */
export type MailAddress = string & { readonly [proven]: 'mail address' }

/** `field` is the member of the request it stands in. */
export function assertMailAddress(text: string, field?: string): asserts text is MailAddress {
  if (!isPlainAddress(text)) throw invalidMailAddress(field)
}

/** Addresses are the same when these are; mails go to the address as it was written. */
export const normaliseMailAddress = (address: string): string => address.toLowerCase()

/**
 * The mailbox behind an address: anna+shop@example.com is read by anna@example.com. One person can
 * make any number of such addresses, so that mails are limited by mailbox.
 */
export const mailboxOf = (address: string): string =>
  normaliseMailAddress(address).replace(/\+[^@]*@/, '@')

/** The same in SQL, of the text of an address. The indexes of migration 0033 have this very form. */
export const mailboxSql = (address: string): string =>
  `regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

const invalidMailAddress = (field?: string) => {
  const message = 'This is not a plain e-mail address. Give one address such as name@example.com.'
  const details = field === undefined ? {} : inField(field, 'invalid', message)
  return refusal('invalid', 'invalid_mail_address', message, details)
}
