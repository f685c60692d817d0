import { textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Day, Nullable, OneOf, ReasonText, Timestamp } from '../../../platform/http/api/schemas.ts'
import { DisplayUser } from '../../identity/accounts/accounts.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'
import type { ReportCategory, ReportDecision } from './repository.ts'

export const reportCategories: readonly ReportCategory[] = [
  'scam',
  'impersonation',
  'offensive',
  'illegal',
  'other',
]
const Category = OneOf(reportCategories)
const DecisionName = OneOf<ReportDecision>(['no_action', 'suspended', 'other'])

const Uuid = Type.String({ format: 'uuid' })
const Moment = Type.String({ format: 'date-time' })

export const ReportedIdParams = Type.Object({ emoji_id: EmojiIdText })

export const NewReport = Type.Object({
  category: Category,
  text: Type.String({
    minLength: 1,
    maxLength: 4_000,
    description: 'What is wrong: 10 to 2,000 characters',
  }),
  email: Type.Optional(
    Type.String({
      ...textLengths.email,
      description: 'For one mail with the decision; removed afterwards',
    }),
  ),
  g_recaptcha_response: Type.Optional(Type.String({ maxLength: 5_000 })),
})
export type NewReport = Static<typeof NewReport>

export const ReportReceipt = Type.Object({
  mails_decision: Type.Boolean({
    description:
      'False without an address, if the report was folded into another one, or if the address got too many notices',
  }),
})
export type ReportReceipt = Static<typeof ReportReceipt>

export const ReportView = Type.Object({
  id: Uuid,
  emoji_id: Type.String({ description: 'Canonical format' }),
  category: Category,
  text: Type.String(),
  email: Nullable(Type.String({ description: 'Of the reporter; removed with the decision' })),
  times: Type.Integer({ description: 'How many reports were folded into this one' }),
  folded_texts: Type.Array(Type.Object({ text: Type.String(), at: Moment }), {
    description:
      'The first 2 and the last 3 other texts that were folded into this one, oldest first, each cut to 500 characters',
  }),
  open_reports: Type.Integer({ description: 'Open reports about the id' }),
  created_at: Timestamp,
  last_at: Timestamp,
  decision: Nullable(DecisionName),
  note: Nullable(Type.String({ description: 'Emailed to the reporter' })),
  reason: Nullable(Type.String()),
  decided_at: Nullable(Timestamp),
  decided_by_user: Nullable(DisplayUser),
})
export type ReportView = Static<typeof ReportView>

const Move = Type.Object({
  at: Timestamp,
  from: Nullable(DisplayUser),
  to: Nullable(DisplayUser),
})

export const ReportFacts = Type.Object({
  ...ReportView.properties,
  owner_then: Nullable(DisplayUser),
  reported_id: Type.Object({
    is_registered: Type.Boolean(),
    display_format: Nullable(Type.String()),
    owner: Nullable(DisplayUser),
    organization: Nullable(Type.Object({ id: Uuid, name: Type.String() })),
    since: Nullable(Type.Unsafe<Date>({ ...Timestamp, description: 'When the id was registered' })),
    suspended: Type.Boolean(),
    frozen: Type.Boolean(),
    minted: Type.Boolean(),
  }),
  transfers: Type.Array(Move, { description: 'The last 50 transfers, newest first' }),
  record_changes: Type.Array(Type.Object({ at: Timestamp, version: Type.Integer() }), {
    description: 'The last 50 changes of its records, newest first',
  }),
  other_reports: Type.Array(ReportView, {
    description: 'The last 50 other reports about the id, newest first',
  }),
})
export type ReportFacts = Static<typeof ReportFacts>

export const ReportPage = pageOf(ReportView)
export const ReportQuery = Type.Object({
  ...pagingQuery(['created_at', 'last_at', 'times'], { sort: 'created_at', dir: 'Asc' }).properties,
  status: Type.Optional(OneOf(['open', 'decided'] as const)),
  category: Type.Optional(Category),
  decision: Type.Optional(DecisionName),
  emoji_id: Type.Optional(EmojiIdText),
  from: Type.Optional(Day('The first day, in UTC')),
  to: Type.Optional(Day('The last day, in UTC')),
})
export type ReportQuery = Static<typeof ReportQuery>

export const ReportParams = Type.Object({ id: Uuid })

export const ReportVerdict = Type.Object({
  decision: DecisionName,
  reason: ReasonText,
  note: Type.Optional(
    Type.Unsafe<string>({
      ...ReasonText,
      ...textLengths.decisionNote,
      description: 'Emailed to the reporters; required for the decision other',
    }),
  ),
  every_report: Type.Optional(
    Type.Boolean({ description: 'Decides all open reports about the id', default: false }),
  ),
  suspend: Type.Optional(
    Type.Boolean({
      description:
        'With the decision suspended: suspends the id in the same step; needs adminEmoji:updateSecureData',
      default: false,
    }),
  ),
})
export type ReportVerdict = Static<typeof ReportVerdict>
