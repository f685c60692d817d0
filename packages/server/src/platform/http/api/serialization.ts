import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { refusal } from '../../errors.ts'
import { currentNetwork } from '../../request-id.ts'
import { takeTurn } from '../../turns.ts'
import type { FirstUse } from './first-use.ts'

type Compiler = NonNullable<FastifyInstance['serializerCompiler']>
type Serialize = ReturnType<Compiler>

/** Many routes share a shape, and every GET shares that of its HEAD. */
const serializers = new WeakMap<object, Serialize>()

export async function serializeOnFirstUse(
  app: FastifyInstance,
  { onFirstUse }: FirstUse,
): Promise<void> {
  const compile = await fastifysCompiler()
  app.setSerializerCompiler((route) => {
    const schema = route.schema as object
    const serializer = onFirstUse(() => {
      const serialize = serializers.get(schema) ?? compile(route)
      serializers.set(schema, serialize)
      return serialize
    })
    return (answer) => serializer()(answer)
  })
}

/** One turn of the event loop serializes about so long of a list. */
const partMs = 1
/** A page of 200 rows; lists without pages have limits of their own. */
const longestPage = 8_000_000

/** Writing a longer text would hold the event loop for milliseconds. */
const longText = 250_000

/**
 * Serializes long lists with turns of the event loop between their rows, and sends long texts in
 * parts: 10,000 items take 200 ms. The rest of a response, its frame, is serialized again with each
 * part, and cut off.
 */
export function serializeInParts(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const parts = await textInParts(reply, payload)
    if (!parts) return payload
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    // A public read needs its whole text for the ETag.
    if (length < longText || request.routeOptions.config.access === 'public') {
      reply.serializer(() => parts.join(''))
      return payload
    }
    const chunks = await toChunks(parts)
    reply.header('content-length', String(chunks.reduce((sum, one) => sum + one.length, 0)))
    const network = currentNetwork()
    const stream = Readable.from(inTurns(chunks, network), { objectMode: false })
    // Fastify sends a stream too, which its types do not say.
    reply.serializer(() => stream as unknown as string)
    return payload
  })
}

async function toChunks(parts: readonly string[]): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for (const part of parts) {
    await takeTurn()
    chunks.push(Buffer.from(part))
  }
  return chunks
}

async function* inTurns(chunks: readonly Buffer[], network: string) {
  for (const chunk of chunks) {
    yield chunk
    await takeTurn(network)
  }
}

type Members = Record<string, unknown>

async function textInParts(reply: FastifyReply, payload: unknown): Promise<string[] | undefined> {
  if (Array.isArray(payload)) {
    const serialize = (rows: unknown[]) => String(reply.serialize(rows))
    const parts =
      payload.length < 2 ? undefined : await rowsInParts(reply, payload, serialize, '[]')
    return parts && ['[', ...parts, ']']
  }
  const lists = longLists(payload)
  if (lists.length === 0) return undefined
  const members = payload as Members
  const empty = Object.fromEntries(lists.map((name) => [name, []]))
  const serialize = (list: Members) => String(reply.serialize({ ...members, ...empty, ...list }))
  /** Texts of the frame, and the rows of each list between them. */
  const pieces: (string | string[])[] = [serialize({})]
  for (const name of lists) {
    const marker = `${JSON.stringify(name)}:[]`
    const serializeRows = (rows: unknown[]) => serialize({ [name]: rows })
    const rows = members[name] as unknown[]
    const longest = 'paging' in members ? longestPage : Number.POSITIVE_INFINITY
    const parts = await rowsInParts(reply, rows, serializeRows, marker, longest)
    const place = pieces.findIndex((piece) => typeof piece === 'string' && piece.includes(marker))
    const [before, after] = String(pieces[place]).split(marker)
    if (!parts || after === undefined) return undefined
    pieces.splice(place, 1, `${before}${marker.slice(0, -1)}`, parts, `]${after}`)
  }
  return pieces.flat()
}

/** The rows of a list as text; undefined if their place in the frame is not certain. */
async function rowsInParts(
  reply: FastifyReply,
  rows: readonly unknown[],
  serialize: (rows: unknown[]) => string,
  marker: string,
  longest = Number.POSITIVE_INFINITY,
): Promise<string[] | undefined> {
  const frameBegan = performance.now()
  const frame = serialize([])
  const longestMs = partMs + performance.now() - frameBegan
  const start = frame.indexOf(marker)
  if (start < 0 || frame.indexOf(marker, start + 1) >= 0) return undefined
  const [before, after] = [start + marker.length - 1, frame.length - start - marker.length + 1]
  const parts: string[] = []
  let length = 0
  for (let at = 0, count = 1; at < rows.length; ) {
    await takeTurn()
    // The time limit or the client ended the request: nothing more is sent.
    if (reply.raw.headersSent || reply.raw.destroyed) return new Promise(() => {})
    const began = performance.now()
    const part = serialize(rows.slice(at, at + count)).slice(before, -after)
    parts.push(at === 0 ? part : `,${part}`)
    length += part.length
    if (length > longest) throw longPage(at)
    at += count
    count = performance.now() - began < longestMs ? count * 2 : Math.ceil(count / 2)
  }
  return parts
}

const longPage = (rowsThatFit: number) =>
  refusal(
    'invalid',
    'long_page',
    `This page is too long to send. Ask for ${Math.max(1, rowsThatFit)} rows at once with limit.`,
  )

const longLists = (payload: unknown): string[] =>
  typeof payload === 'object' && payload !== null
    ? Object.entries(payload).flatMap(([name, value]) =>
        Array.isArray(value) && value.length > 1 ? [name] : [],
      )
    : []

/** Fastify exposes its compiler only after a route has used it. */
async function fastifysCompiler(): Promise<Compiler> {
  // Optimizing the generated code takes as long as generating it, and V8 does it anyway.
  const app = Fastify({ serializerOpts: { ajv: { code: { optimize: false } } } })
  app.get('/', { schema: { response: { 200: {} } } }, async () => '')
  await app.ready()
  if (!app.serializerCompiler) throw new Error('Fastify exposes no serializer compiler')
  return app.serializerCompiler
}
