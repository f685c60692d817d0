import type { FastifyInstance } from 'fastify'

const methods = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] as const

/** The methods for the Allow header of a 405; none for an unknown path. */
export function methodsAt(app: FastifyInstance, url: string): string[] {
  const path = url.split('?', 1)[0] ?? ''
  return methods.filter((method) => app.findRoute({ method, url: path }) !== null)
}
