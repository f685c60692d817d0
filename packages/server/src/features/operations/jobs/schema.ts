import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, OneOf, Timestamp } from '../../../platform/http/schemas.ts'
import { type State, states } from './table.ts'

export const JobView = Type.Object({
  id: Type.String(),
  task: Type.String(),
  state: Type.Unsafe<State>({
    ...OneOf(states),
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
export const JobPage = pageOf(JobView)

export const JobQuery = Type.Object({
  ...pagingQuery(['run_at', 'created_at'], { sort: 'run_at', dir: 'Asc' }).properties,
  state: Type.Optional(Type.Unsafe<State>(OneOf(states))),
  task: Type.Optional(Type.String({ maxLength: 128 })),
})
export type JobQuery = Static<typeof JobQuery>

export const TaskList = Type.Array(
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

export const JobParams = Type.Object({ id: Type.String({ pattern: '^[1-9][0-9]{0,17}$' }) })
export const Removed = Type.Object({ id: Type.String(), task: Type.String() })
