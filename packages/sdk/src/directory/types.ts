import type { EmojiId } from '@emojid/core'
import type { EmojidError, InvalidIdError } from '../errors.ts'
import type { operations } from '../generated/api.ts'
import type { DirectoryRecord, Proof } from './answers.ts'

export type Lookup = {
  /** In its canonical form. */
  id: EmojiId
  /** Oldest first. */
  records: DirectoryRecord[]
  /** How often the id was looked up in the 28 days before today, where that is known. */
  views?: number
  /** When payment addresses of the id change, if its owner lets them wait; not told where records are proven. */
  changes_at?: string
  /** Given when the records were proven to be those that this key signed. */
  proven_by?: string
}

/** What became of one id of many; `text` is how it was given. */
export type Found =
  | { text: string; status: 'found'; id: EmojiId; records: DirectoryRecord[] }
  | { text: string; status: 'unregistered'; id: EmojiId }
  | { text: string; status: 'invalid'; error: InvalidIdError }
  /** Only where each record is proven: this one could not be. */
  | { text: string; status: 'failed'; id: EmojiId; error: EmojidError }

export type SearchResult =
  operations['searchEmojiId']['responses'][200]['content']['application/json']

export type LookupOptions = {
  /** Only records of these categories, such as `0x1003`. */
  tags?: readonly string[]
  signal?: AbortSignal
}

/** Throws `ProofError` unless a proof holds; answers the key that signed. `verifyProof` of `@emojid/sdk/verify`. */
export type Verify = (proof: Proof) => string

export type Directory = {
  /** The records of an id. Throws `InvalidIdError`, `UnregisteredError`, `NetworkError`, `RefusedError`. */
  lookup(id: string, options?: LookupOptions): Promise<Lookup>
  /** Any number of ids, in their order; what is wrong with one is told in its place and harms no other. */
  lookupMany(ids: readonly string[], options?: LookupOptions): Promise<Found[]>
  /** Price, availability and alternatives of an id. */
  search(id: string, options?: { signal?: AbortSignal }): Promise<SearchResult>
  /** The records together with who has the id and their signature; checked if the client verifies. */
  proof(id: string, options?: { signal?: AbortSignal }): Promise<Proof>
}
