import { createHash } from 'node:crypto'

type Details = Record<string, unknown>

/** In characters of JSON. Operators list 200 entries at once. */
export const longestDetails = 16_000
const longestMember = 1_000

/** The list of entries finds ids by these members. */
const isSearched = (name: string): boolean => ['emoji_id', 'emoji_ids'].includes(name)

/** Replaces long members of long details by their hash. */
export function boundDetails(details: Details): Details {
  if (JSON.stringify(details).length <= longestDetails) return details
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => {
      const text = JSON.stringify(value) ?? ''
      if (isSearched(name) || text.length <= longestMember) return [name, value]
      return [name, { length: text.length, sha256: sha256(text) }]
    }),
  )
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
