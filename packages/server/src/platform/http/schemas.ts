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

/** Control characters but ends of lines, and those that turn the direction of writing. */
const controls =
  '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069'
const hidden = `${controls}\\t\\n\\r\\u2028\\u2029`
/** Blanks, and characters that leave no trace where they stand alone. */
const unseen =
  '\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F' +
  '\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}'
/** At least one character is seen, and none of the refused ones is there. */
const shown = (refused: string) => `^[^${refused}]*[^${refused}${unseen}][^${refused}]*$`
/** Text that is shown to people: it must not look like something else there. */
export const withoutHidden = `^[^${hidden}]*$`
/** A name of something, in one line. */
export const ShownName = Type.String({ pattern: shown(hidden), maxLength: 100 })

/** Why somebody does something; kept in the audit log. */
export const ReasonText = Type.String({
  pattern: shown(controls),
  minLength: 3,
  maxLength: 500,
  description: 'Why; kept in the audit log',
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
