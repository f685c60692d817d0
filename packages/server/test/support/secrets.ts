import { sql } from 'kysely'
import { Secret } from 'otpauth'
import type { TestService } from './service.ts'

/** Secrets by kind, which must appear nowhere. */
export function newSecrets() {
  const secrets = new Map<string, Buffer[]>()
  /** A secret text, and the bytes that it may encode. */
  const keep = (name: string, text: string, ...meanings: Uint8Array[]) => {
    if (text.length < 8) throw new Error(`${name} is too short to be looked for: ${text}`)
    const all = [Buffer.from(text), ...meanings.map((bytes) => Buffer.from(bytes))]
    secrets.set(`${name} ${secrets.size}`, all)
  }
  return {
    keep,
    keepToken: (name: string, token: string) =>
      keep(name, token, Buffer.from(token.replace(/^[a-z]+_/, ''), 'base64url')),
    size: () => secrets.size,
    /** The secrets that a text contains, in any encoding. */
    findIn: (text: string): string[] => {
      const lower = text.toLowerCase()
      return [...secrets].flatMap(([name, meanings]) =>
        meanings
          .flatMap(formsOf)
          .filter((form) => text.includes(form) || lower.includes(form.toLowerCase()))
          .map((form) => `${name}: ${form}`),
      )
    },
  }
}

/** The encodings of bytes. */
const formsOf = (bytes: Buffer): string[] => {
  const base32 = new Secret({ buffer: new Uint8Array(bytes).buffer }).base32
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  return [
    bytes.toString('utf8'),
    bytes.toString('latin1'),
    bytes.toString('hex'),
    base64,
    bytes.toString('base64url'),
    base32,
  ]
}

/** Every row of every table, as text; `bytea` comes out in hex. */
export async function dumpOf({ db }: TestService): Promise<string> {
  const tables = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const queries = tables.rows.map(({ name }) => `select t::text as text from ${name} t`)
  const { rows } = await sql<{ text: string }>`${sql.raw(queries.join(' union all '))}`.execute(db)
  return rows.map(({ text }) => text).join('\n')
}

/** Most rows are in all dumps: each is searched once. */
export const linesOf = (dumps: readonly string[]): string =>
  [...new Set(dumps.flatMap((dump) => dump.split('\n')))].join('\n')
