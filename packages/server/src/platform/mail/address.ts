import { textLengths } from '@emojid/core'
import { inField, refusal } from '../errors.ts'

const longestLocalPart = 64
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const plainAddress = new RegExp(
  `^${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[^.]*[A-Za-z])${label}$`,
)

/** Mail programs parse lists, names, groups and line breaks in an address: all are rejected. */
export function isPlainAddress(text: string): boolean {
  const isShort =
    text.length <= textLengths.email.maxLength && text.indexOf('@') <= longestLocalPart
  return isShort && plainAddress.test(text)
}

declare const proven: unique symbol
/** Exactly one plain address, such as name@example.com. */
export type MailAddress = string & { readonly [proven]: 'mail address' }

/** `field` is the member of the request. */
export function assertMailAddress(text: string, field?: string): asserts text is MailAddress {
  if (!isPlainAddress(text)) throw invalidMailAddress(field)
}

/** The key for comparing addresses; emails go to the address as written. */
export const normaliseMailAddress = (address: string): string => address.toLowerCase()

/**
 * The mailbox behind an address: anna+shop@example.com belongs to anna@example.com. A person can
 * make any number of such addresses, so emails are limited by mailbox.
 */
export const mailboxOf = (address: string): string =>
  normaliseMailAddress(address).replace(/\+[^@]*@/, '@')

/** The same in SQL. The indexes `links_mailbox` and `transfers_mailbox` use this exact expression. */
export const mailboxSql = (address: string): string =>
  `regexp_replace(lower(${address}), '\\+[^@]*@', '@')`

const invalidMailAddress = (field?: string) => {
  const message = 'This isn’t a valid email address. Enter one address such as name@example.com.'
  const details = field === undefined ? {} : inField(field, 'invalid', message)
  return refusal('invalid', 'invalid_mail_address', message, details)
}
