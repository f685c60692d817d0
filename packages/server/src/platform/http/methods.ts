import type { FastifyInstance } from 'fastify'

/** Tells which methods a path has, for those who used another; none for a path that does not exist. */
export function knownMethods(app: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    // What takes every path says nothing about one of them.
    if (!url.endsWith('*')) routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  return (url) => {
    const [path = ''] = url.split('?', 1)
    const fitting = routes.filter(({ pattern }) => pattern.test(path))
    return [...new Set(fitting.flatMap(({ methods }) => methods))].sort()
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
