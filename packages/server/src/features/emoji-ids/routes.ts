import { emojiAlphabet } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EmojiList } from './schema.ts'

export const emojiIdRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.route({
    method: 'GET',
    url: '/emoji',
    config: { access: 'public' },
    schema: {
      operationId: 'listEmoji',
      tags: ['Directory'],
      summary: 'List supported emoji characters',
      response: { 200: EmojiList },
    },
    handler: async () => [...emojiAlphabet],
  })
}
