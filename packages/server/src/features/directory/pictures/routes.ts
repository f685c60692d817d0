import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendUnchanging } from '../../../platform/http/unchanging.ts'
import type { Pictures } from './pictures.ts'
import { PictureFile, PictureParams } from './schema.ts'

export const pictureRoutes: FastifyPluginAsyncTypebox<{ pictures: Pictures }> = async (
  app,
  { pictures },
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
      sendUnchanging(request, reply, await pictures.loadPicture(request.params.file)),
  })
}
