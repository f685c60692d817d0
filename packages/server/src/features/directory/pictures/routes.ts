import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendUnchanging } from '../../../platform/http/unchanging.ts'
import type { Pictures } from './pictures.ts'
import { PictureFile, PictureParams } from './schema.ts'

export type PictureRoutes = { pictures: Pictures; cacheControl: string }

export const pictureRoutes: FastifyPluginAsyncTypebox<PictureRoutes> = async (
  app,
  { pictures, cacheControl },
) => {
  app.route({
    method: 'GET',
    url: '/pictures/:file',
    config: { access: 'public' },
    schema: {
      operationId: 'loadPicture',
      tags: ['Directory'],
      summary: 'A picture of an id',
      description: 'Supports Range requests for video players.',
      params: PictureParams,
      response: { 200: PictureFile, 206: PictureFile },
    },
    handler: async (request, reply) =>
      // A suspended id takes its pictures along, so caches revalidate as for lookups.
      sendUnchanging(request, reply, await pictures.loadPicture(request.params.file), cacheControl),
  })
}
