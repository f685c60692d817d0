import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import type { Recovery } from './recovery.ts'
import { Message, Waiting } from './schema.ts'

export const recoveryRoutes: FastifyPluginAsyncTypebox<{ recovery: Recovery }> = async (
  app,
  { recovery },
) => {
  const tags = ['Second factor']
  const url = '/account/2fa/recovery'

  app.route({
    method: 'GET',
    url,
    config: { access: 'session' },
    schema: {
      operationId: 'showSecondFactorRecovery',
      tags,
      summary: 'Whether a lost second factor waits to be removed',
      response: { 200: Waiting },
    },
    handler: async (request) => ({
      second_factor_recovery: await recovery.findPendingRecovery(callerOf(request).user_id),
    }),
  })

  app.route({
    method: 'DELETE',
    url,
    config: { access: 'session', sensitive: true },
    schema: {
      operationId: 'cancelSecondFactorRecovery',
      tags,
      summary: 'Keep a second factor that was said to be lost',
      description: 'Needs a fresh code: giving one ends the wait by itself.',
      response: { 200: Message },
    },
    handler: async (request) => {
      await recovery.cancelOwnRecovery(callerOf(request))
      return { message: 'The second factor stays.' }
    },
  })
}
