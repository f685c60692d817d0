import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { isKnown } from './etag.ts'

const folder = new URL('../../../art/', import.meta.url)

const types = { svg: 'image/svg+xml', webp: 'image/webp' }

type Picture = { content: Buffer; etag: string }

/** Icons by their code points, at `…/art/1f525.svg` and, small, `.webp`: the same art on every page. */
export function serveArt(app: FastifyInstance): void {
  const kept = new Map<string, Picture>()
  const load = async (file: string): Promise<Picture> => {
    const known = kept.get(file)
    if (known) return known
    const content = await readFile(new URL(file, folder)).catch(() => undefined)
    if (!content) throw new ServiceError('not_found', 'unknown_icon', 'There is no such icon.')
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    kept.set(file, { content, etag })
    return { content, etag }
  }
  app.get<{ Params: { name: string; form: keyof typeof types } }>(
    '/art/:name(^[0-9a-f-]{2,40}).:form(^svg|webp$)',
    async ({ params, headers }, reply) => {
      const { content, etag } = await load(`${params.name}.${params.form}`)
      reply.header('cache-control', 'public, max-age=604800').header('etag', etag)
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
      return reply.type(types[params.form]).send(content)
    },
  )
}
