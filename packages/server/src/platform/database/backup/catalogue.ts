import type { Client } from 'pg'

export type Table = { schema: string; name: string; columns: string[] }

/** The manifest lists the applied migrations. */
const leftOut = ['public.schema_migrations', 'graphile_worker.migrations']

/** All tables with data, in the order of their foreign keys. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(
    `select n.nspname as schema, c.relname as name,
            array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid
     where n.nspname in ('public', 'graphile_worker') and c.relkind = 'r'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and n.nspname || '.' || c.relname <> all ($1)
     group by 1, 2 order by 1, 2`,
    [leftOut],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    `select conrelid::regclass::text as "from", confrelid::regclass::text as "to"
     from pg_constraint where contype = 'f' and conrelid <> confrelid`,
  )
  return inOrder(tables, references)
}

export async function listSequences(client: Client) {
  const { rows } = await client.query<{ schema: string; name: string; last_value: string }>(
    `select schemaname as schema, sequencename as name, last_value::text as last_value
     from pg_sequences
     where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1, 2`,
  )
  return rows
}

export const quoteName = ({ schema, name }: { schema: string; name: string }): string =>
  `"${schema}"."${name}"`

function inOrder(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const orderedTables: Table[] = []
  const shortName = ({ schema, name }: Table) => (schema === 'public' ? name : `${schema}.${name}`)
  let waitingTables = tables
  while (waitingTables.length > 0) {
    const names = new Set(waitingTables.map(shortName))
    const free = waitingTables.filter(
      (table) => !references.some(({ from, to }) => from === shortName(table) && names.has(to)),
    )
    if (free.length === 0)
      throw new Error(`The foreign keys of these tables form a cycle: ${[...names]}.`)
    orderedTables.push(...free)
    waitingTables = waitingTables.filter((table) => !free.includes(table))
  }
  return orderedTables
}
