import type { FastifyInstance } from 'fastify'

/** Forgetting to say who may call a route is a failed start, not a hole. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) {
      throw new Error(`${String(method)} ${url} does not declare who may call it (config.access).`)
    }
  })
}
