import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'
import { ProviderName } from '../../operations/access/access.ts'
import type { SessionKind } from './repository.ts'

export const TokenAnswer = Type.Object({
  access_token: Type.String({ description: 'A JWT, valid for 15 minutes' }),
  refresh_token: Type.String(),
  has_password: Type.Boolean(),
  requires_2fa: Nullable(ProviderName),
})
export type TokenAnswer = Static<typeof TokenAnswer>

export const RefreshBody = Type.Object({ refresh_token: Type.String({ maxLength: 5_000 }) })

const SessionView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Unsafe<SessionKind>({
    ...OneOf(['device', 'authorization', 'web']),
    description: 'device: a client of the API; authorization and web: a browser at our sites',
  }),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
  user_agent: Nullable(Type.String()),
  current: Type.Boolean({ description: 'The session of this request' }),
})
export const SessionList = Type.Array(SessionView)
export const SessionParams = Type.Object({ id: Type.String({ format: 'uuid' }) })
export const Jwks = Type.Object({ keys: Type.Array(Type.Unknown()) })
