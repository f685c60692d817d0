import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { isKnown } from './etag.ts'

const folder = new URL('../../../art/', import.meta.url)

type Picture = { content: Buffer; etag: string }

/**
 * The art of all pages: emojis by their code points at `…/art/1f525.svg`, sprite sheets at
 * `…/art/sheets/animals.webp`.
 */
export function serveArt(app: FastifyInstance): void {
  const kept = new Map<string, Picture>()
  const load = async (file: string): Promise<Picture> => {
    const known = kept.get(file)
    if (known) return known
    const content = await readFile(new URL(file, folder)).catch(() => undefined)
    if (!content) throw new ServiceError('not_found', 'unknown_icon', 'This icon does not exist.')
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    kept.set(file, { content, etag })
    return { content, etag }
  }
  const send = async ({ headers }: FastifyRequest, reply: FastifyReply, file: string) => {
    const { content, etag } = await load(file)
    reply.header('cache-control', 'public, max-age=604800').header('etag', etag)
    if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(file.endsWith('.svg') ? 'image/svg+xml' : 'image/webp').send(content)
  }
  app.get<{ Params: { name: string } }>(
    '/art/:name(^[0-9a-f-]{2,40}).svg',
    async (request, reply) => send(request, reply, `${request.params.name}.svg`),
  )
  app.get<{ Params: { name: string } }>(
    '/art/sheets/:name(^[a-z0-9-]{2,40}).webp',
    async (request, reply) => send(request, reply, `sheets/${request.params.name}.webp`),
  )
}
