import type { operations } from '../generated/api.ts'

/** The response body of an operation. */
export type AnswerOf<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } }
}
  ? Answer
  : never

/** The request body of an operation. */
export type BodyOf<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
