import Fastify, { type FastifyInstance } from 'fastify'

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

/** Fastify exposes its compiler only after a route has used it. */
async function fastifysCompiler(): Promise<Compiler> {
  // Optimizing the generated code takes as long as generating it, and V8 does it anyway.
  const app = Fastify({ serializerOpts: { ajv: { code: { optimize: false } } } })
  app.get('/', { schema: { response: { 200: {} } } }, async () => '')
  await app.ready()
  if (!app.serializerCompiler) throw new Error('Fastify exposes no serializer compiler')
  return app.serializerCompiler
}
