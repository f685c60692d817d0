import { type Static, type TSchema, Type } from 'typebox'

/** A moment that leaves the service: RFC 3339, UTC, always with fractions of a second. */
export const Timestamp = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

/** A day of a filter, as UTC counts them. */
export const Day = (description: string) =>
  Type.String({ format: 'date', pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$', description })

/** The answer of operations that only do something. */
export const Nothing = Type.Object({})

export const OneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values] }))

/** Control characters, and those that turn the direction of writing. */
const hidden = '\\u0000-\\u001F\\u007F-\\u009F\\u2028\\u2029\\u202A-\\u202E\\u2066-\\u2069'
/** Text that is shown to people: it must not look like something else there. */
export const withoutHidden = `^[^${hidden}]*$`
/** A name of something, with at least one character that is seen. */
export const ShownName = Type.String({
  pattern: `^[^${hidden}]*[^\\s${hidden}][^${hidden}]*$`,
  maxLength: 100,
})

/** Why somebody does something; kept in the audit log. */
export const ReasonText = Type.String({
  // Something to read: neither blanks nor characters that nobody sees.
  pattern: '[^\\s\\u200B-\\u200F\\u2060\\uFEFF]',
  ...{ minLength: 3, maxLength: 500, description: 'Why; kept in the audit log' },
})
export const OptionalReason = Type.Optional(ReasonText)
/** Where nothing but the reason is said. */
export const Why = Type.Object({ reason: ReasonText })
export const MaybeWhy = Type.Object({ reason: OptionalReason })
export type MaybeWhy = Static<typeof MaybeWhy>

/** What lists of operators are searched for. */
export const SearchText = (description: string) =>
  Type.Optional(Type.String({ maxLength: 200, description }))

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(Type.Union([schema, Type.Null()]))
