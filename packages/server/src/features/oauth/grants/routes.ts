import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes, Nothing } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Grants } from './grants.ts'
import { ApplicationList, ApplicationParams } from './schema.ts'

/** The user's connected applications. The authorization site has the rest of OAuth. */
export const grantRoutes: FastifyPluginAsyncTypebox<{ grants: Grants }> = async (
  app,
  { grants },
) => {
  groupRoutes(app, 'Sessions')

  app.get('/account/applications', {
    config: { access: 'session' },
    schema: {
      operationId: 'listApplications',
      summary: 'List connected applications',
      response: { 200: ApplicationList },
    },
    handler: async (request) => grants.listApplications(callerOf(request)),
  })

  app.delete('/account/applications/:client_id', {
    config: { access: 'session' },
    schema: {
      operationId: 'leaveApplication',
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
