import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './etag.ts'

type Bytes = { content: Buffer; etag: string; type: string }

/** Sends content-addressed, immutable content: whole, as a range, or 304. */
export function sendUnchanging(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content, etag, type }: Bytes,
  cacheControl = 'public, max-age=31536000, immutable',
) {
  reply.header('etag', etag).header('cache-control', cacheControl)
  reply.header('accept-ranges', 'bytes')
  if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
  const isPartAllowed = headers['if-range'] === undefined || headers['if-range'] === etag
  const part = isPartAllowed ? readRange(headers.range, content.length) : 'whole'
  reply.type(type)
  if (part === 'whole') return reply.send(content)
  const { first, last } = part
  reply.code(206).header('content-range', `bytes ${first}-${last}/${content.length}`)
  return reply.send(content.subarray(first, last + 1))
}

/** One range within the content; any other range gets all of it, as RFC 9110 allows. */
function readRange(header: string | undefined, length: number) {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return 'whole'
  const first = from === '' ? Math.max(length - Number(to), 0) : Number(from)
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1)
  return first <= last ? { first, last } : 'whole'
}
