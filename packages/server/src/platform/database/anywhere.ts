import { sql } from 'kysely'

/** In lower case as PostgreSQL has it, which thinks of some letters otherwise than JavaScript. */
export const lowered = (text: string) => sql<string>`lower(${text}::text)`

/** For `like`: what has the text anywhere, in lower case, whatever its characters mean to `like`. */
export const anywhere = (text: string) => lowered(`%${text.replace(/[\\%_]/g, '\\$&')}%`)
