import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readSpelling } from '../../features/directory/emoji-ids/emoji-ids.ts'

/** Slugs and DNS labels are ASCII, and no id in emojis is. */
const ascii = /^[\x21-\x7e]+$/
const members = ['emoji_id', 'eid']
type Texts = Record<string, string | undefined>

/**
 * Accepts an id in any spelling in the path, and in the query as `emoji_id`. Handlers read the
 * canonical id, and `content-location` of a read names it. Bodies name ids in emojis.
 */
export function acceptSpellings(app: FastifyInstance): void {
  app.addHook('preHandler', async (request, reply) => {
    const { method } = request
    const params = request.params as Texts
    spellRight(request.query as Texts)
    if (spellRight(params) && (method === 'GET' || method === 'HEAD')) {
      reply.header('content-location', pathOf(request, params))
    }
  })
}

/** Replaces the spelling of an id by the id. */
function spellRight(values: Texts): boolean {
  const name = members.find((member) => ascii.test(values[member] ?? ''))
  if (name !== undefined) values[name] = readSpelling(values[name] ?? '')
  return name !== undefined
}

function pathOf({ routeOptions, url }: FastifyRequest, params: Texts): string {
  const path = routeOptions.url?.replaceAll(/:(\w+)/g, (_whole, name) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const query = url.indexOf('?')
  return `${path}${query < 0 ? '' : url.slice(query)}`
}
