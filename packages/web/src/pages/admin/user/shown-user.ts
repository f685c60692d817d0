import type { AnswerOf } from '../../../api/shapes.ts'

export type ShownUser = AnswerOf<'showUser'>
