import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../platform/http/schemas.ts'

const Given = () => Type.Optional(Nullable(Type.String()))

export const LoginBody = Type.Object({
  email: Given(),
  alternate_id: Given(),
  password: Type.String(),
  g_recaptcha_response: Given(),
})
export type LoginBody = Static<typeof LoginBody>

export const MagicLinkBody = Type.Object({
  email: Given(),
  user_id: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
  redirect: Given(),
  g_recaptcha_response: Given(),
})
export type MagicLinkBody = Static<typeof MagicLinkBody>

export const ResetBody = Type.Object({ email: Type.String(), g_recaptcha_response: Given() })
export type ResetBody = Static<typeof ResetBody>

export const LinkAnswer = Type.Object({
  message: Type.String(),
  status: OneOf(['Active', 'RegisteredInactive', 'RegisteredActive', 'Inactive'] as const),
})

export const ExchangeBody = Type.Object({ code: Type.String({ maxLength: 5_000 }) })
