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
 * The rest of a response is serialized again with each part, and cut off.
 */
export function serializeInParts(app: FastifyInstance): void {
  app.addHook('preSerialization', async (_request, reply, payload) => {
    const text = await textInParts(reply, payload)
    if (text !== undefined) reply.serializer(() => text)
    return payload
  })
}

async function textInParts(reply: FastifyReply, payload: unknown): Promise<string | undefined> {
  const name = Array.isArray(payload) ? undefined : longestList(payload)
  if (name === undefined && !Array.isArray(payload)) return undefined
  const withRows = (rows: unknown[]) =>
    String(reply.serialize(name === undefined ? rows : { ...(payload as Members), [name]: rows }))
  const rows = (name === undefined ? payload : (payload as Members)[name]) as unknown[]
  const frame = withRows([])
  const empty = name === undefined ? '[]' : `${JSON.stringify(name)}:[]`
  const start = frame.indexOf(empty)
  if (rows.length < 2 || start < 0 || frame.lastIndexOf(empty) !== start) return undefined
  const head = frame.slice(0, start + empty.length - 1)
  const tail = frame.slice(start + empty.length - 1)
  const parts: string[] = []
  for (let at = 0, count = 1; at < rows.length; ) {
    await takeTurn()
    // The time limit or the client ended the request: nothing more is sent.
    if (reply.raw.headersSent || reply.raw.destroyed) return new Promise(() => {})
    const began = performance.now()
    parts.push(withRows(rows.slice(at, at + count)).slice(head.length, -tail.length))
    at += count
    count = performance.now() - began < partMs ? count * 2 : Math.ceil(count / 2)
  }
  return head + parts.join(',') + tail
}

type Members = Record<string, unknown>

function longestList(payload: unknown): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  let [longest, length] = [undefined as string | undefined, 1]
  for (const [name, value] of Object.entries(payload)) {
    if (Array.isArray(value) && value.length > length) [longest, length] = [name, value.length]
  }
  return longest
}

/** Fastify exposes its compiler only after a route has used it. */
async function fastifysCompiler(): Promise<Compiler> {
  // Optimizing the generated code takes as long as generating it, and V8 does it anyway.
  const app = Fastify({ serializerOpts: { ajv: { code: { optimize: false } } } })
  app.get('/', { schema: { response: { 200: {} } } }, async () => '')
  await app.ready()
  if (!app.serializerCompiler) throw new Error('Fastify exposes no serializer compiler')
  return app.serializerCompiler
}
