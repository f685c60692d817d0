import type { FastifyInstance } from 'fastify'

/** The methods of each path. */
export type KnownMethods = {
  /** The methods for the Allow header of a 405; none for an unknown path. */
  at(url: string): string[]
  /** True if the path has a route with other methods than this one. */
  isWrongAt(url: string, method: string): boolean
}

/** Records the routes that are added from now on, here and in mounted plugins. */
export function knownMethods(app: FastifyInstance): KnownMethods {
  const own = new Map<string, string[]>()
  const patterns: { segments: RegExp[]; methods: string[] }[] = []
  const add = (url: string, methods: string[]) => {
    if (url.includes(':')) patterns.push({ segments: url.split('/').map(patternOf), methods })
    else own.set(url, [...(own.get(url) ?? []), ...methods])
  }
  app.addHook('onRoute', ({ url, routePath, prefix, method, config }) => {
    // A wildcard route matches unknown paths too.
    if (url.endsWith('*') || config?.refuses_methods) return
    add(url, [method].flat())
    // The router serves `/` under a prefix with and without the slash, and reports the latter only.
    if (prefix !== '' && routePath === '') add(`${url}/`, [method].flat())
  })
  return {
    at(url) {
      const path = pathOf(url)
      const parts = path.split('/')
      const fitting = patterns.filter(
        ({ segments }) =>
          segments.length === parts.length &&
          segments.every((segment, at) => segment.test(parts[at] ?? '')),
      )
      // The router prefers a route without parameters, whatever its methods.
      const methods = own.get(path) ?? fitting.flatMap((one) => one.methods)
      return [...new Set(methods)].sort()
    },
    isWrongAt: (url, method) => own.get(pathOf(url))?.includes(method) === false,
  }
}

/** Decoded as in the router. */
function pathOf(url: string): string {
  const path = url.split('?', 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** A parameter may have a pattern and a suffix: `:name(^[a-z]+$).svg`. */
function patternOf(segment: string): RegExp {
  const [, form = '.+', ending] = /^:\w+(?:\((.*)\))?(.*)$/.exec(segment) ?? ['', '', segment]
  const escaped = (ending ?? '').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^(?:${form.replace(/^\^/, '').replace(/\$$/, '')})${escaped}$`)
}
