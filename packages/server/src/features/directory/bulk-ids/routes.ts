import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { BulkIds } from './bulk-ids.ts'
import { ExportedIds, ExportQuery, Import, ImportResults } from './schema.ts'

export const bulkIdRoutes: FastifyPluginAsyncTypebox<{ bulkIds: BulkIds }> = async (
  app,
  { bulkIds },
) => {
  const tags = ['Operators']

  app.route({
    method: 'POST',
    url: '/admin/emoji_ids/import',
    bodyLimit: 1024 * 1024,
    config: {
      members: 20_000,
      access: 'user',
      idempotent: true,
      key_scopes: ['adminEmoji:register', 'organizationEmoji:write'],
      more_scopes: ['adminEmoji:write'],
      sensitive: 'for_keys_too',
    },
    schema: {
      operationId: 'importEmojiIds',
      tags,
      summary: 'Give and write up to 1,000 ids at once',
      description:
        'Each row gives an id to one of user_id, email, organization_id and pubkey, writes its records, or both. Good rows are carried out together, bad ones are refused one by one. An id that its owner has already stays, and so a file can be sent again. Records need adminEmoji:write. Power roles of an organization, and keys of theirs with organizationEmoji:write, write the records of ids that it has; they give none.',
      body: Import,
      response: { 200: ImportResults },
    },
    handler: async (request) => ({
      data: await bulkIds.importIds(callerOf(request), request.body),
    }),
  })

  app.route({
    method: 'GET',
    url: '/admin/emoji_ids/export',
    config: { access: 'adminEmoji:load', sensitive: true },
    schema: {
      operationId: 'exportEmojiIds',
      tags,
      summary: 'All ids with their records',
      description: 'In the form in which they can be imported, part by part.',
      querystring: ExportQuery,
      response: { 200: ExportedIds },
    },
    handler: async (request) => bulkIds.exportIds(callerOf(request), request.query),
  })
}
