/** Lookups only, for small bundles. */
import { createDirectory } from './directory/directory.ts'
import type { Directory, Verify } from './directory/types.ts'
import { type ConnectionOptions, createConnection } from './http/connection.ts'

export type { DirectoryRecord, Proof } from './directory/answers.ts'
export type {
  Directory,
  Lookup,
  LookupOptions,
  LookupOutcome,
  SearchResult,
  Verify,
} from './directory/types.ts'
export * from './errors.ts'
export { memoryTokens, type TokenStore, type Tokens } from './http/session.ts'
export { parseId } from './ids.ts'

export function createLookup({
  verify,
  ...options
}: ConnectionOptions & { verify?: Verify }): Directory {
  return createDirectory(createConnection(options), { verify })
}
