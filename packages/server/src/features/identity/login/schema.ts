import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../platform/http/schemas.ts'

const OptionalText = () => Type.Optional(Nullable(Type.String()))

export const LoginBody = Type.Object({
  email: OptionalText(),
  alternate_id: OptionalText(),
  password: Type.String(),
  g_recaptcha_response: OptionalText(),
})
export type LoginBody = Static<typeof LoginBody>

export const MagicLinkBody = Type.Object({
  email: OptionalText(),
  user_id: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
  redirect: OptionalText(),
  g_recaptcha_response: OptionalText(),
})
export type MagicLinkBody = Static<typeof MagicLinkBody>

export const ResetBody = Type.Object({ email: Type.String(), g_recaptcha_response: OptionalText() })
export type ResetBody = Static<typeof ResetBody>

export const LinkAnswer = Type.Object({
  message: Type.String(),
  status: OneOf(['Active', 'RegisteredInactive', 'RegisteredActive', 'Inactive'] as const),
})

export const ExchangeBody = Type.Object({ code: Type.String({ maxLength: 5_000 }) })
