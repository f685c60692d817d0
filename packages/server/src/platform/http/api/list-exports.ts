import { AsyncResource } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest, FastifySchema, RouteOptions } from 'fastify'
import { type TObject, Type } from 'typebox'
import { ServiceError } from '../../errors.ts'
import { isCallerGone } from '../../request-id.ts'
import { takeTurn } from '../../turns.ts'
import { csvHead, csvLine } from './csv.ts'

/** The largest page of a list, and the pages of one file. */
const pageSize = 200
const pagesOfFile = 25
/** A file of large rows waits for the rate limit of its network between its pages. */
const longestMs = 180_000
const byteOrderMark = '\uFEFF'

/** One export, for the audit log. Filters can hold private texts, so only their names are kept. */
type ListExport = { list: string; filters: string[]; part: number; rows: number }

type Options = {
  /** Counts every page after the first in the limit of requests with credentials. */
  countPage: (request: FastifyRequest) => void
  record: (request: FastifyRequest, listExport: ListExport) => Promise<void>
}

type Query = Record<string, unknown> & { page: number; limit?: number }

/**
 * Adds `{url}/export`, or `{url}/csv` where that path has another meaning, to every list with
 * `config.csv`: the same rows as CSV, with the access and the
 * filters of the list. One response has at most 5,000 rows, and names the page that follows.
 */
export function exportLists(app: FastifyInstance, { countPage, record }: Options): void {
  app.addHook('onRoute', function (list) {
    const { method, config, schema } = list
    const paths = config?.csv
    if (method !== 'GET' || !paths) return
    const { csv: _csv, csv_path = 'export', ...access } = config
    this.route({
      method: 'GET',
      url: `${list.routePath}/${csv_path}`,
      config: {
        ...access,
        sensitive: 'code_or_nothing_keys_too',
        per_minute: 60,
        time_limit_ms: longestMs,
      },
      // The rate limits of the list.
      onRequest: [list.onRequest ?? []].flat(),
      // An operation with the plain name exists where the path is taken.
      schema: exportSchema(schema ?? {}, csv_path === 'csv' ? 'AsCsv' : ''),
      handler: async (request, reply) => {
        const query = request.query as Query
        const { page: part, sort: _sort, dir: _dir, ...filters } = query
        // The other lists count their pages themselves.
        const count = config?.cost ? undefined : () => countPage(request)
        const first = part * pagesOfFile
        const readPage = (nth: number) => {
          request.query = { ...query, page: first + nth, limit: pageSize }
          return list.handler.call(request.server, request, reply)
        }
        const page = pageOf(await readPage(0), part)
        const { operationId = '' } = (schema ?? {}) as { operationId?: string }
        const left = Math.max(0, page.total - first * pageSize)
        await record(request, {
          list: operationId,
          filters: Object.keys(filters),
          part,
          rows: Math.min(left, pagesOfFile * pageSize),
        })
        if (left > pagesOfFile * pageSize) reply.header('x-next-page', String(part + 1))
        // The rest is read while the client takes the file, in the context of the request.
        const readNext = AsyncResource.bind((nth: number) =>
          onceAllowed(async () => {
            count?.()
            return pageOf(await readPage(nth), part)
          }),
        )
        const fileParts = async function* () {
          if (part === 0) yield byteOrderMark + csvHead(paths)
          let { rows } = page
          const pages = Math.min(pagesOfFile, Math.ceil(left / pageSize))
          for (let nth = 1; ; nth++) {
            yield* linesOf(rows, paths)
            if (nth >= pages) return
            rows = (await readNext(nth)).rows
          }
        }
        return reply
          .header('content-type', 'text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${fileName(list)}.csv"`)
          .send(Readable.from(fileParts(), { objectMode: false }))
      },
    })
  })
}

/** A file that has begun cannot be refused: its next page waits until the limit allows it. */
async function onceAllowed<Page>(read: () => Promise<Page>): Promise<Page> {
  const isGone = isCallerGone()
  for (;;) {
    try {
      return await read()
    } catch (error) {
      const isLimited = error instanceof ServiceError && error.kind === 'limited'
      if (!isLimited || isGone()) throw error
      await sleep((error.details.retry_after_seconds ?? 1) * 1_000)
    }
  }
}

/** The rows of a page, and the length of the whole list. A list without pages is one. */
function pageOf(answer: unknown, part: number): { rows: readonly unknown[]; total: number } {
  if (Array.isArray(answer)) return { rows: part === 0 ? answer : [], total: 0 }
  const { data, paging } = answer as { data: unknown[]; paging: { total: number } }
  return { rows: data, total: paging.total }
}

const linesAtOnce = 20

/** Only the first file names its columns, so that clients can join the files. */
async function* linesOf(rows: readonly unknown[], paths: readonly string[]) {
  for (let at = 0; at < rows.length; at += linesAtOnce) {
    yield rows
      .slice(at, at + linesAtOnce)
      .map((row) => csvLine(row, paths))
      .join('')
    await takeTurn()
  }
}

const fileName = ({ url }: RouteOptions): string =>
  url
    .split('/')
    .filter((word) => !word.startsWith(':'))
    .at(-1) ?? 'list'

type ListSchema = FastifySchema & { operationId?: string; summary?: string; description?: string }

function exportSchema(schema: ListSchema, suffix: string) {
  const { operationId = '', summary = '', description, querystring } = schema
  const {
    limit: _limit,
    page: _page,
    ...others
  } = (querystring as TObject | undefined)?.properties ?? {}
  return {
    ...schema,
    operationId: `${operationId.replace(/^(list|find)/, 'export')}${suffix}`,
    summary: `${summary}, as CSV`,
    description: [
      description,
      'One response has at most 5,000 rows; the header x-next-page names the page that follows.',
    ]
      .filter(Boolean)
      .join(' '),
    querystring: Type.Object({
      page: Type.Integer({ minimum: 0, maximum: 40_000, default: 0 }),
      ...others,
    }),
    response: {
      200: {
        description: 'Texts that a spreadsheet would run as a formula begin with an apostrophe',
        content: { 'text/csv': { schema: Type.String() } },
      },
    },
  }
}
