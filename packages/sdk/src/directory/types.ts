import type { EmojiId } from '@emojid/core'
import type { EmojidError, InvalidIdError } from '../errors.ts'
import type { operations } from '../generated/api.ts'
import type { DirectoryRecord, Proof } from './answers.ts'

export type Lookup = {
  /** The id in its canonical format. */
  id: EmojiId
  /** Oldest first. */
  records: DirectoryRecord[]
  /** The number of lookups of the id in the 28 days before today, if known. */
  views?: number
  /** When payment addresses of the id change, under a delay lock; absent for proven records. */
  changes_at?: string
  /** Present if the records are proven: the key that signed them. */
  proven_by?: string
}

/** The result for one of many ids; `text` is the input. */
export type LookupOutcome =
  | { text: string; status: 'found'; id: EmojiId; records: DirectoryRecord[] }
  | { text: string; status: 'unregistered'; id: EmojiId }
  | { text: string; status: 'invalid'; error: InvalidIdError }
  /** The id is suspended, or its proof failed. */
  | { text: string; status: 'failed'; id: EmojiId; error: EmojidError }

export type SearchResult =
  operations['searchEmojiId']['responses'][200]['content']['application/json']

export type LookupOptions = {
  /** Selects records of these categories, such as `0x1003`. */
  tags?: readonly string[]
  signal?: AbortSignal
}

/**
 * Throws `ProofError` unless a proof is valid; returns the key that signed. `verifyProof` of
 * `@emojid/sdk/verify`.
 */
export type Verify = (proof: Proof) => string

export type Directory = {
  /** The records of an id. Throws `InvalidIdError`, `UnregisteredError`, `NetworkError`, `RefusedError`. */
  lookup(id: string, options?: LookupOptions): Promise<Lookup>
  /** Any number of ids, in order; a fault of one is reported in its place and affects no other. */
  lookupMany(ids: readonly string[], options?: LookupOptions): Promise<LookupOutcome[]>
  /** Price, availability and alternatives of an id. */
  search(id: string, options?: { signal?: AbortSignal }): Promise<SearchResult>
  /** The records with the owner's key and signature; verified if the client verifies. */
  proof(id: string, options?: { signal?: AbortSignal }): Promise<Proof>
}
