import type { AnswerOf } from './shapes.ts'

export type Lootbox = AnswerOf<'showLootBox'>
