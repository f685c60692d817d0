import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { Timestamp, Withheld } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Figures } from './figures.ts'

const Cents = Type.Optional(Type.Integer({ description: 'For sales and refunds' }))

const Figure = (description: string) =>
  Type.Object(
    {
      total: Type.Integer(),
      total_in_cents: Cents,
      days: Type.Array(
        Type.Object({ day: Type.String(), count: Type.Integer(), amount_in_cents: Cents }),
        { description: 'The last 30 days in UTC, oldest first' },
      ),
    },
    { description },
  )
export type Figure = Static<ReturnType<typeof Figure>>

const parts = {
  sales: Figure('Paid orders of 30 days, with payments. Needs order:read'),
  refunds: Figure('Refunds of 30 days. Needs refund:read'),
  sign_ups: Figure('New accounts of 30 days. Needs user:list'),
  refund_requests: Figure('Open refund requests, by the day of the request. Needs order:read'),
  open_reports: Figure('Open reports of abuse, by the day of the report. Needs adminEmoji:load'),
  failed_jobs: Figure(
    'Failed jobs in the queue, by the day they were queued. Needs domainAction:read',
  ),
  unsent_mails: Figure(
    'Emails that wait or failed, by the day they were queued. Needs domainAction:read',
  ),
}

const AllFigures = Type.Object({ as_of: Timestamp, ...parts })
export type AllFigures = Static<typeof AllFigures>

const FigureSet = Type.Object({
  as_of: Timestamp,
  ...Type.Partial(Type.Object(parts)).properties,
  withheld: Withheld,
})
export type FigureSet = Static<typeof FigureSet>

export const figureRoutes: FastifyPluginAsyncTypebox<{ figures: Figures }> = async (
  app,
  { figures },
) => {
  app.get('/admin/figures', {
    config: { access: ['order:read', 'refund:read', 'user:list', 'domainAction:read'] },
    schema: {
      operationId: 'showFigures',
      tags: ['Operators'],
      summary: 'Show sales, sign-ups, refunds and queues of the last 30 days',
      description: 'Counted at most once a minute. Figures without their scope are absent.',
      response: { 200: FigureSet },
    },
    handler: async (request) => figures.showFigures(callerOf(request)),
  })
}
