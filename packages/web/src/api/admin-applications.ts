import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type Application = AnswerOf<'showOauthClient'>

export const refetchApplications = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'applications'] })
