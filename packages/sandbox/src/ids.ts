import { randomBytes, randomInt } from 'node:crypto'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random letters and digits, for provider ids. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
