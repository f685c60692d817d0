import { AddressError } from './address-error.ts'

/** Homoglyphs and invisible characters: a copied or dictated address would send money elsewhere. */
export function refuseStrangers(address: string): void {
  const stranger = /[^\x21-\x7e]/u.exec(address)?.[0]
  if (stranger === undefined) return
  throw new AddressError(
    'malformed_address',
    `An address contains only plain letters, digits and signs. Remove ${codePointOf(stranger)}.`,
  )
}

/** Names a character that may be invisible. */
export const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
