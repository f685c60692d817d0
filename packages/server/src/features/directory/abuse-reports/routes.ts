import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { AbuseReports } from './abuse-reports.ts'
import {
  NewReport,
  ReportedIdParams,
  ReportFacts,
  ReportPage,
  ReportParams,
  ReportQuery,
  ReportReceipt,
  ReportVerdict,
} from './schema.ts'

type Options = { abuseReports: AbuseReports }

export const abuseReportRoutes: FastifyPluginAsyncTypebox<Options> = async (
  app,
  { abuseReports },
) => {
  groupRoutes(app, 'Operators')

  app.post('/emoji_id/:emoji_id/reports', {
    config: { access: 'public', cost: 'by_use_case' },
    schema: {
      operationId: 'reportEmojiId',
      tags: ['Directory'],
      summary: 'Report abuse of an id',
      description:
        'Operators review the report. Copies of an open report are folded into it. With email, one mail with the decision is sent.',
      params: ReportedIdParams,
      body: NewReport,
      response: { 200: ReportReceipt },
    },
    handler: async ({ params, body, ip, headers }) =>
      abuseReports.fileReport(params.emoji_id, body, {
        address: ip,
        user_agent: headers['user-agent'],
      }),
  })

  app.get('/admin/reports', {
    config: {
      access: 'adminEmoji:load',
      // Without the address of the reporter: it is deleted with the decision, and a file would stay.
      csv: [
        'id',
        'emoji_id',
        'category',
        'text',
        'times',
        'folded_texts.text',
        'created_at',
        'last_at',
        'decision',
        'note',
        'reason',
        'decided_at',
        'decided_by_user.email',
      ],
    },
    schema: {
      operationId: 'findReports',
      summary: 'List reports of abuse',
      querystring: ReportQuery,
      response: { 200: ReportPage },
    },
    handler: async ({ query }) => abuseReports.listReports(query),
  })

  app.get('/admin/reports/:id', {
    config: { access: 'adminEmoji:load' },
    schema: {
      operationId: 'getReport',
      summary: 'Show a report with the history of its id',
      params: ReportParams,
      response: { 200: ReportFacts },
    },
    handler: async ({ params }) => abuseReports.showReport(params.id),
  })

  app.post('/admin/reports/:id/decide', {
    config: {
      access: 'adminEmoji:write',
      more_scopes: ['adminEmoji:updateSecureData'],
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'decideReport',
      summary: 'Decide a report',
      description:
        'Records the decision and emails it to the reporter. With suspend, it suspends the id in the same step.',
      params: ReportParams,
      body: ReportVerdict,
      response: { 200: ReportFacts },
    },
    handler: async (request) =>
      abuseReports.decideReport(callerOf(request), request.params.id, request.body),
  })
}
