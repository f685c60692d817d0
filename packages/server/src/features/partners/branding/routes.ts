import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { PartnerBranding } from './branding.ts'
import { Branding, NewBranding, PartnerParams } from './schema.ts'

export const brandingRoutes: FastifyPluginAsyncTypebox<{ branding: PartnerBranding }> = async (
  app,
  { branding },
) => {
  const tags = ['Organizations']

  app.route({
    method: 'GET',
    url: '/organizations/:id/branding',
    config: { access: 'public' },
    schema: {
      operationId: 'getBranding',
      tags,
      summary: 'Show organization branding',
      params: PartnerParams,
      response: { 200: Branding },
    },
    handler: async ({ params }) => branding.loadBranding(params.id),
  })

  app.route({
    method: 'PUT',
    url: '/organizations/:id/branding',
    config: { access: 'user', key_scopes: ['organization:write'], sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'setBranding',
      tags,
      summary: 'Set organization branding',
      description:
        'Replaces the whole branding. For owners of the organization and administrators. A new return_link requires a fresh code, or a sign-in within the last 15 minutes from accounts without a second factor; API keys can’t set it. We email the owners. Visits that began before keep the former link.',
      params: PartnerParams,
      body: NewBranding,
      response: { 200: Branding },
    },
    handler: async (request) =>
      branding.setBranding(callerOf(request), request.params.id, request.body),
  })
}
