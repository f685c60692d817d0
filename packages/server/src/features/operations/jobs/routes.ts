import { jobStates } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Nullable, OneOf, Timestamp, Why } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../access/access.ts'
import type { Jobs } from './jobs.ts'
import type { State } from './repository.ts'

const JobView = Type.Object({
  id: Type.String(),
  task: Type.String(),
  state: Type.Unsafe<State>({
    ...OneOf(jobStates),
    description: 'failed: the queue retries it; given_up: it does not',
  }),
  removable: Type.Boolean({ description: 'Whether operators can remove the job' }),
  key: Nullable(Type.String({ description: 'Jobs with the same key are one job' })),
  attempts: Type.Integer(),
  max_attempts: Type.Integer(),
  run_at: Timestamp,
  created_at: Timestamp,
  error: Nullable(Type.String({ description: 'The last error, without private data' })),
})

export const JobQuery = Type.Object({
  ...pagingQuery(['run_at', 'created_at'], { sort: 'run_at', dir: 'Asc' }).properties,
  state: Type.Optional(Type.Unsafe<State>(OneOf(jobStates))),
  task: Type.Optional(Type.String({ maxLength: 128 })),
})
export type JobQuery = Static<typeof JobQuery>

const TaskList = Type.Array(
  Type.Object({
    task: Type.String(),
    waiting: Type.Integer(),
    running: Type.Integer(),
    failed: Type.Integer(),
    given_up: Type.Integer(),
    oldest_due: Nullable(
      Type.Unsafe<Date>({ ...Timestamp, description: 'When the oldest due job should have run' }),
    ),
  }),
)

const JobParams = Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,17}$' }) })
const Removed = Type.Object({ id: Type.String(), task: Type.String() })

/** Responses never hold the payload of a job: it may be private. */
export const jobRoutes: FastifyPluginAsyncTypebox<{ jobs: Jobs }> = async (app, { jobs }) => {
  groupRoutes(app, 'Operators')
  const params = JobParams

  app.get('/admin/jobs', {
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
      summary: 'List unfinished background jobs',
      ...listOf(JobQuery, JobView),
    },
    handler: async ({ query }) => jobs.listJobs(query),
  })

  app.get('/admin/job_tasks', {
    config: { access: 'domainAction:read' },
    schema: {
      operationId: 'countJobs',
      summary: 'Count background jobs by task',
      response: { 200: TaskList },
    },
    handler: async () => jobs.countTasks(),
  })

  app.post('/admin/jobs/:id/retry', {
    config: { access: 'adminNotifications:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'retryJob',
      summary: 'Retry a failed job immediately',
      params,
      body: Why,
      response: { 200: JobView },
    },
    handler: async (request) =>
      jobs.retryJob(callerOf(request), request.params.id, request.body.reason),
  })

  app.delete('/admin/jobs/:id', {
    config: { access: 'adminNotifications:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'removeJob',
      summary: 'Remove a failed job',
      params,
      querystring: Why,
      response: { 200: Removed },
    },
    handler: async (request) =>
      jobs.removeJob(callerOf(request), request.params.id, request.query.reason),
  })
}
