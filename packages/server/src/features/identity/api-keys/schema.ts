import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'
import { ScopeName } from '../../operations/access/index.ts'

export const NewKey = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Never, unless given; a key made by a key expires with it at the latest',
    }),
  ),
  scopes: Type.Optional(
    Type.Array(ScopeName, {
      description: 'What the key may do; all that you may everywhere unless given',
    }),
  ),
})
export type NewKey = Static<typeof NewKey>

export const KeyView = Type.Object({
  id: Type.String({ format: 'uuid' }),
  api_key: Type.String({ description: 'Whole when it is made, afterwards only its beginning' }),
  name: Type.String(),
  scopes: Type.Array(ScopeName),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Type.Optional(Nullable(Timestamp)),
  last_used_network: Type.Optional(
    Nullable(Type.String({ description: 'The beginning of the address that it was used from' })),
  ),
  last_used_agent: Type.Optional(
    Nullable(Type.String({ description: 'What the program that used it calls itself' })),
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
