import { AddressError } from './address-error.ts'

/**
 * Letters of other scripts look like plain ones, and some characters are not seen at all: whoever
 * copies such an address, or reads it out, sends money elsewhere.
 */
export function refuseStrangers(address: string): void {
  const stranger = /[^\x21-\x7e]/u.exec(address)?.[0]
  if (stranger === undefined) return
  throw new AddressError(
    'malformed_address',
    `An address has only plain letters, digits and signs: remove ${codePointOf(stranger)}.`,
  )
}

/** Names a character that may be invisible. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
