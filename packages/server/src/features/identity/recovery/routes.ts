import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupRoutes, Nullable, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Recovery } from './recovery.ts'

const PendingRecovery = Type.Object({
  second_factor_recovery: Nullable(
    Type.Object(
      { asked_at: Timestamp, ends_at: Timestamp },
      { description: 'From ends_at on, the emailed link removes the second factor' },
    ),
  ),
})

const Message = Type.Object({ message: Type.String() })

export const recoveryRoutes: FastifyPluginAsyncTypebox<{ recovery: Recovery }> = async (
  app,
  { recovery },
) => {
  groupRoutes(app, 'Second factor')
  const url = '/account/2fa/recovery'

  app.get(url, {
    config: { access: 'session' },
    schema: {
      operationId: 'showSecondFactorRecovery',
      summary: 'Show the pending removal of a lost second factor',
      response: { 200: PendingRecovery },
    },
    handler: async (request) => ({
      second_factor_recovery: await recovery.findPendingRecovery(callerOf(request).user_id),
    }),
  })

  app.delete(url, {
    config: { access: 'session', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'cancelSecondFactorRecovery',
      summary: 'Cancel the pending removal of a second factor',
      description: 'Requires a fresh second factor. Entering a code also cancels the removal.',
      response: { 200: Message },
    },
    handler: async (request) => {
      await recovery.cancelOwnRecovery(callerOf(request))
      return { message: 'The second factor stays.' }
    },
  })
}
