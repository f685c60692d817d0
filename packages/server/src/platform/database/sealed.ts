import { type Kysely, sql } from 'kysely'

/** The sample per table: large enough to find a key, and fast in any database. */
const rowsPerTable = 10_000

/** The names of the master keys in use, as far as a sample shows. */
export async function masterKeysInUse<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname ~ '^sealed(_|$)' and not a.attisdropped
      and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  `.execute(db)
  const names = new Set<string>()
  for (const { table, column } of columns.rows) {
    // Rows that are not rewrapped yet are at the start of the table.
    const { rows } = await sql<{ name: string }>`
      select distinct split_part(sealed, '.', 2) as name
      from (select ${sql.ref(column)} as sealed from ${sql.table(table)} limit ${rowsPerTable}) sample
      where sealed is not null
    `.execute(db)
    for (const { name } of rows) names.add(name)
  }
  return [...names].sort()
}
