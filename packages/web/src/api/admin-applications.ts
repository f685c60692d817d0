import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type Application = AnswerOf<'showOauthClient'>

export const applicationsAgain = () =>
  queries.invalidateQueries({ queryKey: ['admin', 'applications'] })
