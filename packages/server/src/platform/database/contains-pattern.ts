import { sql } from 'kysely'

/** Lower case by PostgreSQL, which differs from JavaScript for some letters. */
export const lowerText = (text: string) => sql<string>`lower(${text}::text)`

/** A `like` pattern for rows that contain the text, in lower case, with wildcards escaped. */
export const containsPattern = (text: string) => lowerText(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
