import type { FastifyInstance } from 'fastify'

/** The methods that a path allows, for the Allow header of a 405; none for an unknown path. */
export function knownMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // A wildcard route matches unknown paths too.
    if (!url.endsWith('*')) routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  return (url) => {
    const path = decoded(url.split('?', 1)[0] ?? '')
    const fitting = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => methods))].sort()
  }
}

/** As the router reads it. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
