import { chainFormat } from '../ids/formats.ts'
import type { EmojiId } from '../ids/parse.ts'

/** Domain separation: a signature of records is valid for nothing else. */
export const signingDomain = 'emojid/records/v1'

/** The message that the key of an id signs: the id and the Merkle root of its records. */
export const signedMessage = (id: EmojiId, merkle_root: string): string =>
  `${chainFormat(id)} ${merkle_root}`
