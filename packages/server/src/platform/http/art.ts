import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { isKnown } from './etag.ts'

const folder = new URL('../../../art/', import.meta.url)

type Picture = { content: Buffer; etag: string }

/** Icons by their code points, at `…/art/1f525.svg`: the same art on every page. */
export function serveArt(app: FastifyInstance): void {
  const kept = new Map<string, Picture>()
  const load = async (name: string): Promise<Picture> => {
    const known = kept.get(name)
    if (known) return known
    const content = await readFile(new URL(`${name}.svg`, folder)).catch(() => undefined)
    if (!content) throw new ServiceError('not_found', 'unknown_icon', 'There is no such icon.')
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    kept.set(name, { content, etag })
    return { content, etag }
  }
  app.get<{ Params: { name: string } }>(
    '/art/:name(^[0-9a-f-]{2,40}).svg',
    async ({ params, headers }, reply) => {
      const { content, etag } = await load(params.name)
      reply.header('cache-control', 'public, max-age=604800').header('etag', etag)
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type('image/svg+xml').send(content)
    },
  )
}
