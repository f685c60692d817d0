import { type Expression, sql } from 'kysely'

/**
 * The rows of another table as one column, so that one statement reads what belongs together. Their
 * times are texts until `reviveTimes`.
 */
export const nestRows = <Row>(rows: Expression<Row>) =>
  sql<Row[]>`(select coalesce(json_agg(nested), '[]') from ${rows} as nested)`

/** Makes dates of the times in nested rows. The names of columns with a time end like this. */
export function reviveTimes(rows: readonly object[]): void {
  const times = Object.keys(rows[0] ?? {}).filter((name) => /_(at|until)$/.test(name))
  for (const row of rows as Record<string, unknown>[]) {
    for (const name of times) {
      const value = row[name]
      if (typeof value === 'string') row[name] = new Date(value)
    }
  }
}
