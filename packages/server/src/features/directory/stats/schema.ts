import { type Static, Type } from 'typebox'

export const Metric = Type.Object({
  metric: Type.String({ description: 'What is counted' }),
  description: Type.String(),
  key: Type.String({ description: 'The canonical id' }),
  value: Type.Integer({ description: '-1 when unavailable' }),
  start_date: Type.String({ format: 'date-time' }),
  finish_date: Type.String({ format: 'date-time' }),
})
export type Metric = Static<typeof Metric>
