import { type Static, Type } from 'typebox'
import { Nullable, ShownName, Timestamp } from '../../../platform/http/schemas.ts'
import { ScopeName } from '../../operations/access/index.ts'

export const NewKey = Type.Object({
  name: ShownName,
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Never by default',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(ScopeName, {
      description:
        'The scopes of the key. By default all of your own scopes, without those in organizations',
    }),
  ),
})
export type NewKey = Static<typeof NewKey>

export const KeyView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  api_key: Type.String({
    description: 'The whole key in the response to its creation, later only its prefix',
  }),
  name: Type.String(),
  scopes: Type.Array(ScopeName),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Type.Optional(Nullable(Timestamp)),
  last_used_network: Type.Optional(
    Nullable(Type.String({ description: 'The prefix of the IP address of the last use' })),
  ),
  last_used_agent: Type.Optional(
    Nullable(Type.String({ description: 'The User-Agent of the last use' })),
  ),
})
export const KeyList = Type.Array(KeyView)
export const KeyParams = Type.Object({ id: Type.String({ minLength: 1 }) })
export const ForQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:loginAs' })),
})
export const OwnerQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:load' })),
})
