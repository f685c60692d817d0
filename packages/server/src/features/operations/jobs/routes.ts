import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Why } from '../../../platform/http/schemas.ts'
import { callerOf } from '../access/index.ts'
import type { Jobs } from './jobs.ts'
import * as schema from './schema.ts'

/** Responses never hold the payload of a job: it may be private. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ jobs: Jobs }> = async (app, { jobs }) => {
  const tags = ['Operators']
  const params = schema.JobParams

  app.route({
    method: 'GET',
    url: '/admin/jobs',
    config: {
      access: 'domainAction:read',
      csv: [
        'id',
        'task',
        'state',
        'key',
        'attempts',
        'max_attempts',
        'run_at',
        'created_at',
        'error',
      ],
    },
    schema: {
      operationId: 'listJobs',
      tags,
      summary: 'List unfinished background jobs',
      querystring: schema.JobQuery,
      response: { 200: schema.JobPage },
    },
    handler: async ({ query }) => jobs.listJobs(query),
  })

  app.route({
    method: 'GET',
    url: '/admin/job_tasks',
    config: { access: 'domainAction:read' },
    schema: {
      operationId: 'countJobs',
      tags,
      summary: 'Count background jobs by task',
      response: { 200: schema.TaskList },
    },
    handler: async () => jobs.countTasks(),
  })

  app.route({
    method: 'POST',
    url: '/admin/jobs/:id/retry',
    config: { access: 'adminNotifications:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'retryJob',
      tags,
      summary: 'Retry a failed job immediately',
      params,
      body: Why,
      response: { 200: schema.JobView },
    },
    handler: async (request) =>
      jobs.retryJob(callerOf(request), request.params.id, request.body.reason),
  })

  app.route({
    method: 'DELETE',
    url: '/admin/jobs/:id',
    config: { access: 'adminNotifications:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'removeJob',
      tags,
      summary: 'Remove a failed job',
      params,
      querystring: Why,
      response: { 200: schema.Removed },
    },
    handler: async (request) =>
      jobs.removeJob(callerOf(request), request.params.id, request.query.reason),
  })
}
