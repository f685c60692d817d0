import type { Container } from '../../src/container.ts'
import type { OverloadLimits } from '../../src/platform/http/overload.ts'
export type Answer = {
  status: number
  headers: Headers
  body: string
  json<Shape = Record<string, unknown>>(): Shape
}
type Call = {
  headers?: Record<string, string>
  body?: unknown
  raw?: string | Uint8Array
}
export type TestService = Awaited<ReturnType<typeof testService>>
type Options = {
  env?: Record<string, string>
  /** Connect here instead of to a database of its own. */
  databaseUrl?: string
  override?: (container: Container) => Container
  overload?: OverloadLimits
}
/** The whole service in this process, on a database of its own and a clock that tests move. */
export declare function testService({ env, databaseUrl, override, overload }?: Options): Promise<{
  address: string
  port: number
  db: import('../../src/tables.ts').Database
  database: import('./database.ts').TestDatabase | undefined
  clock: {
    now: () => Date
    advance(ms: number): void
  }
  logged: string[]
  call: (method: string, path: string, { headers, body, raw }?: Call) => Promise<Answer>
  get: (path: string, options?: Call) => Promise<Answer>
  post: (path: string, body?: unknown, options?: Call) => Promise<Answer>
  close(): Promise<void>
}>
