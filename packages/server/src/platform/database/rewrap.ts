import { type Kysely, sql } from 'kysely'

/** Rewraps a sealed column row by row; skips rows changed concurrently. */
export async function rewrapColumn<Tables>(
  db: Kysely<Tables>,
  { table, column }: { table: keyof Tables & string; column: string },
  anew: (id: string, sealedText: string) => string,
): Promise<number> {
  const [name, sealedColumn] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ id: string; sealed: string }>`
    select id, ${sealedColumn} as sealed from ${name} where ${sealedColumn} is not null
  `.execute(db)
  let count = 0
  for (const { id, sealed } of rows) {
    const wrapped = anew(id, sealed)
    if (wrapped === sealed) continue
    await sql`
      update ${name} set ${sealedColumn} = ${wrapped} where id = ${id} and ${sealedColumn} = ${sealed}
    `.execute(db)
    count++
  }
  return count
}
