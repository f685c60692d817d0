import type { operations } from '../generated/api.ts'

/** What an operation answers. */
export type AnswerOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

/** What an operation is sent. */
export type BodyOf<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
