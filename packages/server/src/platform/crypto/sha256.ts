import { createHash } from 'node:crypto'

/** The lookup hash of tokens, keys and secrets. They are long and random, so they need no salt. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
