import { chainFormat } from '../ids/formats.ts'
import type { EmojiId } from '../ids/parse.ts'

/** A signature made for records is good for nothing else. */
export const signingDomain = 'emojid/records/v1'

/** What the key of an id signs: the id and the root over its records. */
export const signedMessage = (id: EmojiId, merkle_root: string): string =>
  `${chainFormat(id)} ${merkle_root}`
