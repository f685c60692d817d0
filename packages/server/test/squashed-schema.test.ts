import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { addExtension } from '../src/platform/database/extension.ts'
import { migrateAll } from '../src/platform/database/open.ts'
import { createLog } from '../src/platform/log/log.ts'
import { testDatabase } from './support/database.ts'

const folder = new URL('./old-migrations/', import.meta.url)
const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

async function emptyDatabase() {
  const { connection, drop } = await testDatabase('empty')
  const client = new pg.Client(connection)
  await client.connect()
  cleanUps.push(drop, () => client.end())
  return { connection, client }
}

async function oldSchema(): Promise<pg.Client> {
  const { client } = await emptyDatabase()
  await addExtension(client)
  const names = (await readdir(folder)).sort()
  expect(names).toHaveLength(78)
  for (const name of names) await client.query(await readFile(new URL(name, folder), 'utf8'))
  return client
}

async function newSchema(): Promise<pg.Client> {
  const { connection, client } = await emptyDatabase()
  await migrateAll(connection, createLog('silent'))
  await client.query('drop table schema_migrations')
  return client
}

const notOfExtension = (catalog: string, oid: string) =>
  `not exists (select from pg_depend
     where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

/** Each selects a text per object: equal lists are equal schemas. */
const catalogs = {
  relations: `
    select format('%s %s %s %s %s %s %s', relname, relkind, relpersistence, reloptions,
      relreplident, relrowsecurity, relacl)
    from pg_class where relnamespace = 'public'::regnamespace`,
  // Dropped columns leave gaps in attnum. The names of NOT NULL constraints are those of the columns
  // at their creation, so the constraints are compared here, without their names.
  columns: `
    select format('%s %s %s %s %s %s %s %s %s %s %s %s', c.relname,
      row_number() over (partition by c.relname order by a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
      pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation, a.attstorage,
      a.attcompression, a.attacl)
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind <> 'i'
      and a.attnum > 0 and not a.attisdropped`,
  constraints: `
    select format('%s %s %s %s %s', conrelid::regclass, conname, contype, convalidated,
      pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  indexes: `
    select format('%s %s %s', pg_get_indexdef(indexrelid), indisvalid, indisprimary)
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace`,
  triggers: `
    select format('%s %s', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal`,
  functions: `
    select format('%s %s', regexp_replace(pg_get_functiondef(oid), '--[^\n]*', '', 'g'), proacl)
    from pg_proc where pronamespace = 'public'::regnamespace and ${notOfExtension('pg_proc', 'oid')}`,
  sequences: `
    select format('%s %s', pg_sequences::text, pg_depend.deptype)
    from pg_sequences left join pg_depend on classid = 'pg_class'::regclass
      and objid = format('%I.%I', schemaname, sequencename)::regclass and refobjsubid > 0
    where schemaname = 'public'`,
  types: `
    select format('%s %s %s', typname, typtype, typacl)
    from pg_type where typnamespace = 'public'::regnamespace and ${notOfExtension('pg_type', 'oid')}`,
  extensions: `select format('%s %s', extname, extversion) from pg_extension`,
  others: `
    select format('%s %s', tablename, policyname) from pg_policies
    union all select format('%s %s', tablename, rulename) from pg_rules where schemaname = 'public'
    union all select stxname::text from pg_statistic_ext
    union all select defaclacl::text from pg_default_acl
    union all select nspacl::text from pg_namespace where nspname = 'public'
    union all select description from pg_description
      where objoid >= 16384 and classoid <> 'pg_proc'::regclass
        and classoid <> 'pg_operator'::regclass and classoid <> 'pg_extension'::regclass`,
}

const list = async (client: pg.Client, query: string): Promise<string[]> => {
  const { rows } = await client.query({ text: query, rowMode: 'array' })
  return rows.map(([text]) => String(text)).sort()
}

describe('the squashed schema', async () => {
  const [before, after] = await Promise.all([oldSchema(), newSchema()])

  it.each(Object.entries(catalogs))('has the same %s as the old one', async (name, query) => {
    const [expected, actual] = [await list(before, query), await list(after, query)]
    expect(actual).toEqual(expected)
    if (name !== 'others') expect(actual.length).toBeGreaterThan(0)
  })

  it('has the same rows as the old one, apart from the random epoch', async () => {
    const rowsOf = async (client: pg.Client) => {
      const tables = await list(
        client,
        "select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
      )
      const rows: string[] = []
      for (const table of tables) {
        const text = `select '${table} ' || (to_jsonb(t) - 'epoch')::text from ${table} t`
        rows.push(...(await list(client, text)))
      }
      return rows
    }
    const actual = await rowsOf(after)
    expect(actual).toEqual(await rowsOf(before))
    expect(actual).toHaveLength(2)
  })
})
