import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Day } from '../../../platform/http/api/schemas.ts'
import { type Audit, AuditEntry } from './audit.ts'

const AuditPage = pageOf(AuditEntry)
const AuditQuery = Type.Object({
  ...pagingQuery(['id'], { sort: 'id', dir: 'Desc' }).properties,
  event: Type.Optional(Type.String({ maxLength: 100 })),
  actor_id: Type.Optional(Type.String({ format: 'uuid' })),
  subject_id: Type.Optional(Type.String({ format: 'uuid' })),
  person: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'The actor or the subject: an id or a full email address',
    }),
  ),
  emoji_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'An emoji id in any spelling' }),
  ),
  from: Type.Optional(Day('The first day, in UTC')),
  to: Type.Optional(Day('The last day, in UTC')),
})
export type AuditQuery = Static<typeof AuditQuery>

export const auditRoutes: FastifyPluginAsyncTypebox<{ audit: Audit }> = async (app, { audit }) => {
  app.get('/admin/audit', {
    config: {
      access: 'domainEvent:read',
      csv: [
        'id',
        'at',
        'event',
        'result',
        'actor_email',
        'subject_email',
        'actor_id',
        'subject_id',
        'request_id',
        'details',
      ],
    },
    schema: {
      operationId: 'listAudit',
      tags: ['Operators'],
      summary: 'List audit entries',
      querystring: AuditQuery,
      response: { 200: AuditPage },
    },
    handler: async ({ query }) => audit.listEntries(query),
  })
}
