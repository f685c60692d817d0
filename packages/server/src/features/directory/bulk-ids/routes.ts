import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { BulkIds } from './bulk-ids.ts'
import { ExportedIds, ExportQuery, Import, ImportResults } from './schema.ts'

export const bulkIdRoutes: FastifyPluginAsyncTypebox<{ bulkIds: BulkIds }> = async (
  app,
  { bulkIds },
) => {
  groupRoutes(app, 'Operators')

  app.post('/admin/emoji_ids/import', {
    bodyLimit: 1024 * 1024,
    config: {
      members: 20_000,
      access: 'user',
      idempotent: true,
      key_scopes: ['adminEmoji:register', 'organizationEmoji:write'],
      more_scopes: ['adminEmoji:write'],
      sensitive: 'code_or_nothing_keys_too',
    },
    schema: {
      operationId: 'importEmojiIds',
      summary: 'Grant and write up to 1,000 ids in one request',
      description:
        'Each row grants an id to one of user_id, email, organization_id and pubkey, writes its records, or both. Records replace the stored ones of their own categories; `replace_all` replaces all records. A dry run lists the records that each row would add and remove. Valid rows are carried out together, invalid ones are rejected one by one. Importing the same file again changes nothing. Records need adminEmoji:write. Power roles of an organization, and its API keys with organizationEmoji:write, can write the records of its ids, but cannot grant ids.',
      body: Import,
      response: { 200: ImportResults },
    },
    handler: async (request) => ({
      data: await bulkIds.importIds(callerOf(request), request.body),
    }),
  })

  app.get('/admin/emoji_ids/export', {
    config: { access: 'adminEmoji:load', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'exportEmojiIds',
      summary: 'Export all ids with their records',
      description: 'Pages have the same form as an import.',
      querystring: ExportQuery,
      response: { 200: ExportedIds },
    },
    handler: async (request) => bulkIds.exportIds(callerOf(request), request.query),
  })
}
