import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { sheetPath } from '@emojid/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { isKnown } from '../etag.ts'
import { type Compressible, compressible, sendCompressed } from './compress.ts'

const unknownIcon = () => new ServiceError('not_found', 'unknown_icon', 'This icon does not exist.')

const folder = new URL('../../../../art/', import.meta.url)

/**
 * The art of all pages: emojis by their code points at `…/art/1f525.svg`, sprite sheets at
 * the paths of `sheetPath`.
 */
export function serveArt(app: FastifyInstance): void {
  const cache = new Map<string, Compressible>()
  const load = async (file: string): Promise<Compressible> => {
    const cachedFile = cache.get(file)
    if (cachedFile) return cachedFile
    const content = await readFile(new URL(file, folder)).catch(() => undefined)
    if (!content) throw unknownIcon()
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
    const picture = compressible(content, etag)
    cache.set(file, picture)
    return picture
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, file: string) => {
    const picture = await load(file)
    reply.header('cache-control', 'public, max-age=604800')
    if (file.endsWith('.svg')) return sendCompressed(request, reply, picture, 'image/svg+xml')
    reply.header('etag', picture.etag)
    if (isKnown(request.headers['if-none-match'], picture.etag)) return reply.code(304).send()
    return reply.type('image/webp').send(picture.content)
  }
  app.get<{ Params: { name: string } }>(
    '/art/:name(^[0-9a-f-]{2,40}).svg',
    async (request, reply) => send(request, reply, `${request.params.name}.svg`),
  )
  app.get<{ Params: { version: string; name: string } }>(
    '/art/sheets/:version/:name(^[a-z0-9-]{2,40}).webp',
    async (request, reply) => {
      const { version, name } = request.params
      if (sheetPath(name) !== `/art/sheets/${version}/${name}.webp`) throw unknownIcon()
      return send(request, reply, `sheets/${name}.webp`)
    },
  )
}

/** The art of an emoji as an address that contains it, for pages that must not wait for pictures. */
export function inlineArt(icon: string): string {
  const drawing = readFileSync(new URL(`${icon}.svg`, folder), 'utf8')
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`
}
