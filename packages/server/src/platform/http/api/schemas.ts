import { textLengths } from '@emojid/core'
import type { FastifyInstance } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'

/** A timestamp in responses: RFC 3339, UTC, always with fractions of a second. */
export const Timestamp = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))

/** A day of a filter, in UTC. */
export const Day = (description: string) =>
  Type.String({ format: 'date', pattern: '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$', description })

/** The parts of a response that are empty because the caller may not see them. */
export const Withheld = Type.Optional(
  Type.Array(Type.String(), {
    description: 'The members that the caller may not see: empty or absent, whatever they hold',
  }),
)

/** The member `withheld`, if there is anything to name. */
export const withheldPart = (names: readonly string[]) =>
  names.length > 0 ? { withheld: [...names] } : {}

/** The response of operations without a result. */
export const Nothing = Type.Object({})

export const OneOf = <Value extends string>(values: readonly Value[]) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values] }))

/** Control characters except line ends, and direction overrides. */
const controls =
  '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u202A-\\u202E\\u2066-\\u2069'
const hidden = `${controls}\\t\\n\\r\\u2028\\u2029`
/** Blanks and invisible characters. */
const unseen =
  '\\s\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2060-\\u206F' +
  '\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}'
/** At least one visible character, and none of the refused ones. */
const visiblePattern = (refused: string) => `^[^${refused}]*[^${refused}${unseen}][^${refused}]*$`
/** Text for display must not contain invisible or direction characters. */
export const withoutHidden = `^[^${hidden}]*$`
/** A name in one line. */
export const ShownName = Type.String({ pattern: visiblePattern(hidden), ...textLengths.name })

/** The reason for an operator's action, stored in the audit log. */
export const ReasonText = Type.String({
  pattern: visiblePattern(controls),
  ...textLengths.reason,
  description: 'The reason, stored in the audit log',
})
const visible = new RegExp(visiblePattern(controls), 'u')
export const isReason = (text: string): boolean =>
  text.trim().length >= textLengths.reason.minLength && visible.test(text)
export const OptionalReason = Type.Optional(ReasonText)
/** A body with only the reason. */
export const Why = Type.Object({ reason: ReasonText })
export const OptionalReasonBody = Type.Object({ reason: OptionalReason })
export type OptionalReasonBody = Static<typeof OptionalReasonBody>

export const UuidParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
/** A key, a hash or half a signature. */
export const Hex32 = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })

/** The search text of operators' lists. */
export const SearchText = (description: string) =>
  Type.Optional(Type.String({ ...textLengths.search, description }))

export const Nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>(Type.Union([schema, Type.Null()]))

/** The group of a plugin's operations in the API description; a route can name another. */
export function groupRoutes(app: FastifyInstance, tag: string): void {
  app.addHook('onRoute', (route) => {
    route.schema = { tags: [tag], ...route.schema }
  })
}
