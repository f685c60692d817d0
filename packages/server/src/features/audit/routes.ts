import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditPage, AuditQuery } from './schema.ts'
import type { Audit } from './service.ts'

export const auditRoutes: FastifyPluginAsyncTypebox<{ audit: Audit }> = async (app, { audit }) => {
  app.route({
    method: 'GET',
    url: '/admin/audit',
    config: { access: 'domainEvent:read' },
    schema: {
      ...{ operationId: 'listAudit', tags: ['Operators'], summary: 'See who did what' },
      ...{ querystring: AuditQuery, response: { 200: AuditPage } },
    },
    handler: async ({ query }) => audit.list(query),
  })
}
