import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Timestamp } from '../../../platform/http/api/schemas.ts'
import { minuteMs } from '../../../platform/time.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { AccountExporter } from './account-export.ts'

const Row = Type.Object({}, { additionalProperties: true })
const rows = (description: string) => Type.Array(Row, { description })

const AccountExport = Type.Object({
  format: Type.Integer({ description: 'The version of this form' }),
  exported_at: Timestamp,
  account: Row,
  organizations: rows('Memberships'),
  keys: rows('Public keys; never private ones'),
  wallets: rows('Ethereum addresses'),
  second_factors: rows('Kinds of second factors; never their secrets'),
  passkeys: rows('Names of passkeys'),
  api_keys: rows('API keys without their values'),
  sessions: rows('Sign-ins with their devices'),
  applications: rows('Applications that saw an emoji id of the account'),
  emoji_ids: rows('Own emoji ids with records, stored data, delay lock and suspension'),
  planned_changes: rows('Changes of payment addresses that have not taken effect'),
  orders: rows('Carts and orders with items, payments and refunds'),
  lootboxes: rows('Own lootboxes'),
  transfers: rows('Sent and received transfers'),
  watchlist: rows('Emoji ids on the watchlist'),
  notifications: rows('Notifications of the last 90 days'),
  webhook_endpoints: rows('Own webhook endpoints without their secrets'),
  audit: rows('Audit entries about the account; details only of own actions'),
  saved_cards: rows('Brand, last four digits and expiry of saved cards'),
  incomplete_parts: Type.Array(Type.String(), {
    description:
      'Parts with more than 100,000 entries, of which the export has the first; and `saved_cards` while the card provider does not respond',
  }),
})

type Options = { accountExport: AccountExporter }

export const accountExportRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { accountExport },
) => {
  app.get('/account/export', {
    config: {
      access: 'session',
      sensitive: 'code_or_sign_in',
      cost: 'by_use_case',
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
