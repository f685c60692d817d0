import { emojiAlphabet, rhythmScore, shapeMatch } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readEmojiId } from './rules.ts'
import { EmojiIdText, EmojiList, Rhythm, Shape } from './schema.ts'

export const emojiIdRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const params = Type.Object({ emoji_id: EmojiIdText })
  const tags = ['Directory']

  app.route({
    method: 'GET',
    url: '/emoji',
    config: { access: 'public' },
    schema: {
      ...{ operationId: 'listEmoji', tags, summary: 'List supported emoji characters' },
      response: { 200: EmojiList },
    },
    handler: async () => [...emojiAlphabet],
  })

  app.route({
    method: 'GET',
    url: '/emoji_id/:emoji_id/metadata',
    config: { access: 'public' },
    schema: {
      ...{ operationId: 'emojiIdMetadata', tags, summary: 'Shape of an id' },
      ...{ params, response: { 200: Shape } },
    },
    handler: async ({ params: { emoji_id } }) => shapeMatch(readEmojiId(emoji_id)),
  })

  app.route({
    method: 'GET',
    url: '/emoji_id/:emoji_id/rhythm',
    config: { access: 'public' },
    schema: {
      ...{ operationId: 'emojiIdRhythm', tags, summary: 'Rhythm score of an id' },
      ...{ params, response: { 200: Rhythm } },
    },
    handler: async ({ params: { emoji_id } }) => ({ rhythm: rhythmScore(readEmojiId(emoji_id)) }),
  })
}
