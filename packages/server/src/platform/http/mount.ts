import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyPluginOptions } from 'fastify'

/** Routes with their dependencies, in a separate scope. */
export function mount<Options extends FastifyPluginOptions>(
  routes: FastifyPluginAsyncTypebox<Options>,
  options: Options,
): FastifyPluginAsync {
  const plugin: FastifyPluginAsync = (app) =>
    routes(app.withTypeProvider<TypeBoxTypeProvider>(), options)
  // Without this name, the framework searches for one among all loaded modules.
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: routes.name })
}
