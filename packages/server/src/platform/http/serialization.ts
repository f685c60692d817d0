import Fastify, { type FastifyInstance } from 'fastify'

type Compiler = NonNullable<FastifyInstance['serializerCompiler']>
type Serialize = ReturnType<Compiler>

/** Many routes answer with the same shape, and every GET with that of its HEAD. */
const known = new WeakMap<object, Serialize>()

/** Compiling what writes the answers of two hundred routes takes most of a start: each waits until it is needed. */
export async function serializeOnFirstUse(app: FastifyInstance): Promise<void> {
  const compile = await fastifysCompiler()
  app.setSerializerCompiler((route) => {
    const schema = route.schema as object
    return (answer) => {
      const serialize = known.get(schema) ?? compile(route)
      known.set(schema, serialize)
      return serialize(answer)
    }
  })
}

/** Fastify shows the compiler that it brings once a route has needed it. */
async function fastifysCompiler(): Promise<Compiler> {
  const app = Fastify()
  app.get('/', { schema: { response: { 200: {} } } }, async () => '')
  await app.ready()
  if (!app.serializerCompiler) throw new Error('Fastify shows no compiler of serializers')
  return app.serializerCompiler
}
