import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyPluginOptions } from 'fastify'

/** Routes together with what they need, in a scope of their own. */
export function mount<Options extends FastifyPluginOptions>(
  routes: FastifyPluginAsyncTypebox<Options>,
  options: Options,
): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = (app) =>
    routes(app.withTypeProvider<TypeBoxTypeProvider>(), options)
  // Without it the framework looks for a name among all modules that are loaded.
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: routes.name })
}
