import { createHash } from 'node:crypto'

/** What tokens, keys and secrets are found by: they are long and random, so they need no salt. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
