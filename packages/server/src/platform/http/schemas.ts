import { type Static, type TSchema, Type } from 'typebox'

/** A moment that leaves the service: RFC 3339, UTC, always with fractions of a second. */
export const Timestamp = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

/** The answer of operations that only do something. */
export const Nothing = Type.Object({})

export const OneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values] }))

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(Type.Union([schema, Type.Null()]))
