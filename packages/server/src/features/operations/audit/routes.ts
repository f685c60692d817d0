import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audit } from './audit.ts'
import { AuditPage, AuditQuery } from './schema.ts'

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
