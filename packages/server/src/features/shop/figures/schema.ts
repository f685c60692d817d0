import { type Static, Type } from 'typebox'
import { Timestamp, Withheld } from '../../../platform/http/api/schemas.ts'

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

export const figureNames = Object.keys(parts)

const AllFigures = Type.Object({ as_of: Timestamp, ...parts })
export type AllFigures = Static<typeof AllFigures>

export const FigureSet = Type.Object({
  as_of: Timestamp,
  ...Type.Partial(Type.Object(parts)).properties,
  withheld: Withheld,
})
export type FigureSet = Static<typeof FigureSet>
