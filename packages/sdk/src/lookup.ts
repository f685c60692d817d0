/** Lookups alone, for where every kilobyte counts. */
import { createDirectory, type Directory, type Verify } from './directory/directory.ts'
import { type ConnectionOptions, createConnection } from './http/connection.ts'

export * from './errors.ts'
export { parseId } from './ids.ts'

export function createLookup({
  verify,
  ...options
}: ConnectionOptions & { verify?: Verify }): Directory {
  return createDirectory(createConnection(options), verify)
}
