/** Lookups alone, for where every kilobyte counts. */
import { createDirectory, type Directory, type Verify } from './directory/directory.ts'
import { type ConnectionOptions, createConnection } from './http/connection.ts'

export type { DirectoryRecord, Proof } from './directory/answers.ts'
export type { Found } from './directory/batches.ts'
export type {
  Directory,
  Lookup,
  LookupOptions,
  SearchResult,
  Verify,
} from './directory/directory.ts'
export * from './errors.ts'
export { memoryTokens, type TokenStore, type Tokens } from './http/session.ts'
export { parseId } from './ids.ts'

export function createLookup({
  verify,
  ...options
}: ConnectionOptions & { verify?: Verify }): Directory {
  return createDirectory(createConnection(options), { verify })
}
