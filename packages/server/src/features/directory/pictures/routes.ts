import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { networkOf } from '../../../platform/http/network.ts'
import { bytesWanted, sendUnchanging } from '../../../platform/http/unchanging.ts'
import { costs, type Pictures } from './pictures.ts'

const PictureParams = Type.Object({
  file: Type.String({ description: 'As named under VisualizerFileLocations' }),
})

const Bytes = { schema: Type.String({ format: 'binary' }) }

const PictureFile = {
  description: 'The file; its content never changes',
  content: { 'image/png': Bytes, 'image/gif': Bytes, 'video/mp4': Bytes, 'video/webm': Bytes },
}

export type PictureRoutes = { pictures: Pictures; cacheControl: string }

export const pictureRoutes: FastifyPluginAsyncTypebox<PictureRoutes> = async (
  app,
  { pictures, cacheControl },
) => {
  app.get('/pictures/:file', {
    config: { access: 'public', cost: [pictures.bytes, costs.least] },
    schema: {
      operationId: 'loadPicture',
      tags: ['Directory'],
      summary: 'A picture of an id',
      description: 'Supports Range requests for video players.',
      params: PictureParams,
      response: { 200: PictureFile, 206: PictureFile },
    },
    handler: async (request, reply) => {
      const picture = await pictures.loadPicture(request.params.file)
      const bytes = bytesWanted(request, picture.etag, picture.length)
      pictures.bytes.spend(networkOf(request.ip), bytes)
      // A suspended id takes its pictures along, so caches revalidate as for lookups.
      return sendUnchanging(request, reply, picture, cacheControl)
    },
  })
}
