import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { takeTurn } from '../../turns.ts'

type Compiler = NonNullable<FastifyInstance['serializerCompiler']>
type Serialize = ReturnType<Compiler>

/** Many routes share a shape, and every GET shares that of its HEAD. */
const serializers = new WeakMap<object, Serialize>()

/**
 * Compiling the serializers of two hundred routes takes most of a start, so each is compiled on
 * first use.
 */
export async function serializeOnFirstUse(app: FastifyInstance): Promise<void> {
  const compile = await fastifysCompiler()
  app.setSerializerCompiler((route) => {
    const schema = route.schema as object
    return (answer) => {
      const serialize = serializers.get(schema) ?? compile(route)
      serializers.set(schema, serialize)
      return serialize(answer)
    }
  })
}

/** One turn of the event loop serializes about so long of a list. */
const partMs = 1

/**
 * Serializes long lists with turns of the event loop between their rows: 10,000 items take 200 ms.
 * The rest of a response, its frame, is serialized again with each part, and cut off.
 */
export function serializeInParts(app: FastifyInstance): void {
  app.addHook('preSerialization', async (_request, reply, payload) => {
    const text = await textInParts(reply, payload)
    if (text !== undefined) reply.serializer(() => text)
    return payload
  })
}

type Members = Record<string, unknown>

async function textInParts(reply: FastifyReply, payload: unknown): Promise<string | undefined> {
  if (Array.isArray(payload)) {
    const serialize = (rows: unknown[]) => String(reply.serialize(rows))
    return payload.length < 2 ? undefined : joinRows(reply, payload, serialize, '[]')
  }
  const lists = longLists(payload)
  if (lists.length === 0) return undefined
  const members = payload as Members
  const empty = Object.fromEntries(lists.map((name) => [name, []]))
  const serialize = (list: Members) => String(reply.serialize({ ...members, ...empty, ...list }))
  let text = serialize({})
  for (const name of lists) {
    const marker = `${JSON.stringify(name)}:[]`
    const serializeRows = (rows: unknown[]) => serialize({ [name]: rows })
    const rows = members[name] as unknown[]
    const parts = await joinRows(reply, rows, serializeRows, marker)
    if (parts === undefined) return undefined
    text = text.replace(marker, () => parts)
  }
  return text
}

/** The text of a list; undefined if its place in the frame is not certain. */
async function joinRows(
  reply: FastifyReply,
  rows: readonly unknown[],
  serialize: (rows: unknown[]) => string,
  marker: string,
): Promise<string | undefined> {
  const frameBegan = performance.now()
  const frame = serialize([])
  const longestMs = partMs + performance.now() - frameBegan
  const start = frame.indexOf(marker)
  if (start < 0 || frame.indexOf(marker, start + 1) >= 0) return undefined
  const [before, after] = [start + marker.length - 1, frame.length - start - marker.length + 1]
  const parts: string[] = []
  for (let at = 0, count = 1; at < rows.length; ) {
    await takeTurn()
    // The time limit or the client ended the request: nothing more is sent.
    if (reply.raw.headersSent || reply.raw.destroyed) return new Promise(() => {})
    const began = performance.now()
    parts.push(serialize(rows.slice(at, at + count)).slice(before, -after))
    at += count
    count = performance.now() - began < longestMs ? count * 2 : Math.ceil(count / 2)
  }
  return `${marker.slice(0, -1)}${parts.join(',')}]`
}

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
