import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nothing } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Grants } from './grants.ts'
import { ApplicationList, ApplicationParams } from './schema.ts'

/** The user's connected applications. The authorization site has the rest of OAuth. */
export const grantRoutes: FastifyPluginAsyncTypebox<{ grants: Grants }> = async (
  app,
  { grants },
) => {
  const tags = ['Sessions']

  app.route({
    method: 'GET',
    url: '/account/applications',
    config: { access: 'session' },
    schema: {
      operationId: 'listApplications',
      tags,
      summary: 'List connected applications',
      response: { 200: ApplicationList },
    },
    handler: async (request) => grants.listApplications(callerOf(request)),
  })

  app.route({
    method: 'DELETE',
    url: '/account/applications/:client_id',
    config: { access: 'session' },
    schema: {
      operationId: 'leaveApplication',
      tags,
      summary: 'Disconnect an application',
      params: ApplicationParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await grants.leaveApplication(callerOf(request), request.params.client_id)
      return {}
    },
  })
}
