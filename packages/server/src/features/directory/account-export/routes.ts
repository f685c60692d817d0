import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { minuteMs } from '../../../platform/time.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { AccountExporter } from './account-export.ts'
import { AccountExport } from './schema.ts'

type Options = { accountExport: AccountExporter }

export const accountExportRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { accountExport },
) => {
  app.route({
    method: 'GET',
    url: '/account/export',
    config: {
      access: 'session',
      sensitive: 'code_or_sign_in',
      limited: true,
      time_limit_ms: 5 * minuteMs,
    },
    schema: {
      operationId: 'exportAccount',
      tags: ['Account'],
      summary: 'Download all own data',
      description:
        'A file for the person behind the account, never with passwords, private keys or tokens. It needs a sign-in within 15 minutes or a fresh second factor, and is not open to API keys.',
      response: { 200: AccountExport },
    },
    handler: async (request, reply) => {
      const { file, pieces } = await accountExport.exportAccount(callerOf(request))
      reply.header('content-disposition', `attachment; filename="${file}"`)
      reply.header('cache-control', 'no-store').type('application/json; charset=utf-8')
      return reply.send(Readable.from(pieces) as never)
    },
  })
}
