import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Why } from '../../../platform/http/schemas.ts'
import { callerOf } from '../access/index.ts'
import type { Jobs } from './jobs.ts'
import * as schema from './schema.ts'

/** What was asked of a job is not told: it may be private. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ jobs: Jobs }> = async (app, { jobs }) => {
  const tags = ['Operators']
  const params = schema.JobParams

  app.route({
    method: 'GET',
    url: '/admin/jobs',
    config: { access: 'domainAction:read' },
    schema: {
      operationId: 'listJobs',
      tags,
      summary: 'Background work that is not done yet',
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
      summary: 'How much work there is, task by task',
      response: { 200: schema.TaskList },
    },
    handler: async () => jobs.countTasks(),
  })

  app.route({
    method: 'POST',
    url: '/admin/jobs/:id/retry',
    config: { access: 'adminNotifications:write', sensitive: true },
    schema: {
      operationId: 'retryJob',
      tags,
      summary: 'Try a job that failed again, at once',
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
    config: { access: 'adminNotifications:write', sensitive: true },
    schema: {
      operationId: 'removeJob',
      tags,
      summary: 'Give up a job that failed, for good',
      params,
      querystring: Why,
      response: { 200: schema.Removed },
    },
    handler: async (request) =>
      jobs.removeJob(callerOf(request), request.params.id, request.query.reason),
  })
}
