import type { FastifyInstance } from 'fastify'

const line =
  /^(?<indent>(?:[│ ] {3})*)[├└]── (?<part>.*?)(?: \((?<methods>[A-Z]+(?:, [A-Z]+)*)\))?$/

/** Every route of the running service, as `GET /api/emoji_id/:emoji_id`; HEAD goes with GET. */
export function routesOf(app: FastifyInstance): string[] {
  const branch: string[] = []
  const routes = app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((text) => {
      const { indent = '', part = '', methods } = line.exec(text)?.groups ?? {}
      if (part === '') return []
      branch.splice(indent.length / 4)
      branch.push(part)
      // Files of the pages have the hash of their content in their names.
      const url = branch
        .join('')
        .replaceAll(/-[0-9a-f]{16}\./g, '-{hash}.')
        // A parameter that has another name in each of its routes.
        .replaceAll(/\|:\w+/g, '')
      const names = methods?.split(', ').filter((method) => method !== 'HEAD') ?? []
      return names.map((method) => `${method} ${url}`)
    })
  return [...new Set(routes)].sort()
}
