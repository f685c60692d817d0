import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './etag.ts'

/** The first and the last byte of a part. */
export type Range = { first: number; last: number }

type Bytes = {
  length: number
  etag: string
  type: string
  /** Called only for bytes that are sent. */
  read: (range: Range) => Promise<Buffer>
}

/** Small enough that no part holds up other requests. */
const bytesAtOnce = 256 * 1024

/** Sends content-addressed, immutable content: whole, as a range, or 304. */
export function sendUnchanging(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  { length, etag, type, read }: Bytes,
  cacheControl = 'public, max-age=31536000, immutable',
) {
  reply.header('etag', etag).header('cache-control', cacheControl)
  reply.header('accept-ranges', 'bytes')
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  const isPartAllowed = headers['if-range'] === undefined || headers['if-range'] === etag
  const part = isPartAllowed ? readRange(headers.range, length) : undefined
  const { first, last } = part ?? { first: 0, last: length - 1 }
  reply.type(type).header('content-length', last - first + 1)
  if (part) reply.code(206).header('content-range', `bytes ${first}-${last}/${length}`)
  const parts = method === 'HEAD' ? [] : readParts({ first, last }, read)
  return reply.send(Readable.from(parts, { objectMode: false }))
}

async function* readParts({ first, last }: Range, read: Bytes['read']) {
  for (let at = first; at <= last; at += bytesAtOnce) {
    yield await read({ first: at, last: Math.min(last, at + bytesAtOnce - 1) })
  }
}

/** One range within the content; any other range gets all of it, as RFC 9110 allows. */
function readRange(header: string | undefined, length: number): Range | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const first = from === '' ? Math.max(length - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  return first <= last ? { first, last } : undefined
}

/** The bytes that `sendUnchanging` reads for this request. */
export function bytesWanted({ headers, method }: FastifyRequest, etag: string, length: number) {
  if (method === 'HEAD' || isKnown(headers['if-none-match'], etag)) return 0
  const { first, last } = readRange(headers.range, length) ?? { first: 0, last: length - 1 }
  return last - first + 1
}
