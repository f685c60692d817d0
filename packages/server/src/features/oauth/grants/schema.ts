import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../../platform/http/api/schemas.ts'

/** The response to a code or a refresh token. */
export const ApplicationTokens = Type.Object({
  access_token: Type.String(),
  refresh_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  type: Type.Literal('SvcAccessToken'),
  expires_in: Type.Integer(),
  scope: Type.Literal('svc'),
})
export type ApplicationTokens = Static<typeof ApplicationTokens>

const Application = Type.Object({
  client_id: Type.String(),
  name: Type.String(),
  logo: Nullable(Type.String()),
  emoji_id: Type.String({ description: 'The id that the application sees' }),
  created_at: Timestamp,
  last_used_at: Timestamp,
})
export const ApplicationList = Type.Array(Application)
export const ApplicationParams = Type.Object({
  client_id: Type.String({ minLength: 1, maxLength: 100 }),
})
