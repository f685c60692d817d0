import { InvalidRequestError, UnexpectedAnswerError } from './errors.ts'
import type { operations } from './generated/api.ts'
import { resources } from './generated/operations.ts'
import type { ApiRequest, Connection, QueryValue } from './http/connection.ts'
import { isObject } from './http/read-answer.ts'
import { parseId } from './ids.ts'

type Table = typeof resources

export type CallOptions = {
  signal?: AbortSignal
  /** Replaces the generated key: pass your own to repeat a call after a restart. */
  idempotencyKey?: string
}

type PathOf<Op> = Op extends { parameters: { path: infer Path } } ? { path: Path } : unknown
type QueryOf<Op> = Op extends { parameters: { query: infer Query } }
  ? { query: Query }
  : Op extends { parameters: { query?: infer Query } }
    ? { query?: Query }
    : unknown
type BodyOf<Op> = Op extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : Op extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Body }
    : unknown
type CallInput<Op> = PathOf<Op> & QueryOf<Op> & BodyOf<Op> & CallOptions
type AnswerOf<Op> = Op extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

type Arguments<Op> =
  Record<never, never> extends CallInput<Op> ? [input?: CallInput<Op>] : [input: CallInput<Op>]

/** `for await (const item of list.each({ query }))` iterates over all pages. */
type PagedCall<Op> =
  AnswerOf<Op> extends { data: (infer Item)[]; paging: unknown }
    ? { each(...parameters: Arguments<Op>): AsyncGenerator<Item, void, undefined> }
    : unknown

type Call<Op> = ((...parameters: Arguments<Op>) => Promise<AnswerOf<Op>>) & PagedCall<Op>

/** Every operation of the API: `api.transfers.requestTransfer({ body })`, by the names of its description. */
export type Api = {
  readonly [Resource in keyof Table]: {
    readonly [Name in keyof Table[Resource]]: Name extends keyof operations
      ? Call<operations[Name]>
      : never
  }
}

type AnyParameters = CallOptions & {
  path?: Record<string, unknown>
  query?: Record<string, QueryValue>
  body?: unknown
}

export function createApi({ ask }: Pick<Connection, 'ask'>): Api {
  const entries = Object.entries(resources).map(([name, operations]) => [
    name,
    Object.fromEntries(
      Object.entries(operations).map(([operation, line]) => [operation, callOf(line, ask)]),
    ),
  ])
  return Object.fromEntries(entries)
}

function callOf(line: string, ask: Connection['ask']) {
  const [method = '', path = '', access, keyed] = line.split(' ')
  const call = async (input: AnyParameters = {}) => {
    const { idempotencyKey = keyed ? newKey() : undefined, body, signal } = input
    return ask({
      method,
      path: fillPath(path, input.path),
      query: canonicalQuery(input.query),
      body,
      signal,
      access: access as ApiRequest['access'],
      idempotencyKey,
      repeatable: method === 'GET' || keyed !== undefined,
    })
  }
  const each = (input: AnyParameters = {}) =>
    walk((query) => call({ ...input, query }), input.query)
  return Object.assign(call, { each })
}

const fullPage = 200

async function* walk(
  load: (query: Record<string, QueryValue>) => Promise<unknown>,
  query: Record<string, QueryValue> = {},
) {
  const limit = Number(query['limit'] ?? fullPage)
  for (let page = Number(query['page'] ?? 0); ; page++) {
    const answer = await load({ ...query, limit, page })
    const { data, paging } = isObject(answer) ? answer : {}
    if (!Array.isArray(data))
      throw new UnexpectedAnswerError('The response is not a page of a list.')
    yield* data
    // The service may return shorter pages than requested.
    const pageSize =
      isObject(paging) && typeof paging['limit'] === 'number' ? paging['limit'] : limit
    if (data.length === 0 || data.length < pageSize) return
  }
}

const isId = (name: string) => name === 'emoji_id' || name === 'eid'

/** Ids are converted to their canonical form, so no invalid one reaches the network. */
function fillPath(path: string, values: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = String(values?.[name] ?? '')
    return encodeURIComponent(isId(name) ? parseId(value) : pathPart(name, value))
  })
}

/** A dot or two, or an empty part, would lead to another operation. */
function pathPart(name: string, value: string): string {
  if (!['', '.', '..'].includes(value)) return value
  throw new InvalidRequestError(`“${value}” is not a valid ${name}.`)
}

function canonicalQuery(query: AnyParameters['query']): AnyParameters['query'] {
  const id = query?.['emoji_id']
  return typeof id === 'string' ? { ...query, emoji_id: parseId(id) } : query
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
