import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { refusal } from '../../../platform/errors.ts'
import { etagOf, isKnown } from '../../../platform/http/etag.ts'
import { compressible, sendCompressed } from '../../../platform/http/pages/compress.ts'

const scripts = new URL('../../../../browser/', import.meta.url)
const picture = new URL('../../../../art/directory.png', import.meta.url)

export type Files = { scriptUrl: string }

/** Our logo, the stand-in picture. */
export async function readDirectoryPicture(): Promise<Buffer> {
  const pictureFile = await readFile(picture).catch(() => undefined)
  if (!pictureFile) throw unknownPicture()
  return pictureFile
}

/** Serves a script of packages/server/browser at an address with its hash, which it returns. */
export function serveScript(app: FastifyInstance, name: string): string {
  const content = readFileSync(new URL(`${name}.js`, scripts))
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  const compressed = compressible(content, `"${hash}"`)
  const url = `/assets/${name}-${hash}.js`
  app.get(url, async (request, reply) => {
    reply.header('cache-control', 'public, max-age=31536000, immutable')
    return sendCompressed(request, reply, compressed, 'text/javascript; charset=utf-8')
  })
  return url
}

/** Files of the id pages beside the art: a script and a picture. */
export function serveFiles(app: FastifyInstance): Files {
  const scriptUrl = serveScript(app, 'id')
  app.get('/art/directory.png', async ({ headers }, reply) => {
    const picture = await readDirectoryPicture()
    const tag = etagOf(picture)
    reply.header('cache-control', 'public, max-age=604800').header('etag', tag)
    if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send()
    return reply.type('image/png').send(picture)
  })
  return { scriptUrl }
}

export const unknownPicture = () =>
  refusal('not_found', 'unknown_picture', 'This picture does not exist.')
