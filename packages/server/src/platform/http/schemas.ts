import { Type } from 'typebox'

export const Uuid = Type.String({ format: 'uuid' })

/** A moment that leaves the service: RFC 3339, UTC, always with fractions of a second. */
export const Timestamp = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))
