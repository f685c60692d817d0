import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** The statements of the work in progress. Those of other work in this process do not count. */
const statements = new AsyncLocalStorage<string[]>()

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { text: string }]
  statements.getStore()?.push(typeof first === 'string' ? first : first.text)
  return Reflect.apply(query, this, args)
} as typeof query

/** The statements of some work in their order, with `begin` and `commit`, each in short. */
export async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  await statements.run(texts, work)
  // Every process reads the prices from time to time, for all buyers; a new connection its server.
  return texts.filter((text) => !/from "price_tables"|pg_control_system/.test(text)).map(shorten)
}

/** Work whose statements do not count. */
export const withoutRecord = <Result>(work: () => Result): Result => statements.exit(work)

/** The verbs and tables of a statement, or its beginning if it names no table. */
function shorten(text: string): string {
  const parts = [...text.matchAll(/\b(insert into|update|delete from|from|join) "?([a-z_.]+)"?/g)]
    .filter(([, , table = '']) => !['set', 'of', 'skip', 'unnest'].includes(table))
    .map(
      ([, verb = '', table]) => `${/^(insert|update|delete)/.exec(verb)?.[0] ?? 'read'} ${table}`,
    )
  if (text.includes('graphile_worker.add_job')) parts.push('add a job')
  if (parts.length === 0) return text.replaceAll(/\s+/g, ' ').replace(/\(.*/, '(…)')
  return [...new Set(parts)].join(', ') + (/ for (update|share)/.exec(text)?.[0] ?? '')
}
