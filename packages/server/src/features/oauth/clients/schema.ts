import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import {
  Nullable,
  OptionalReason,
  SearchText,
  ShownName,
  Timestamp,
} from '../../../platform/http/schemas.ts'

const Uuid = Type.String({ format: 'uuid' })
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
  minItems: 1,
  maxItems: 20,
  description: 'https, or http on localhost, without a fragment. Must match the request exactly',
})
const Logo = Type.String({
  maxLength: 1_000,
  description: 'The https address of a picture; empty for none',
})

export const NewClient = Type.Object({
  organization_id: Uuid,
  name: ShownName,
  redirect_uris: RedirectUris,
  logo: Type.Optional(Nullable(Logo)),
  reason: OptionalReason,
})
export type NewClient = Static<typeof NewClient>

export const ClientChange = Type.Object({
  name: Type.Optional(ShownName),
  redirect_uris: Type.Optional(RedirectUris),
  logo: Type.Optional(Nullable(Logo)),
  reason: OptionalReason,
})
export type ClientChange = Static<typeof ClientChange>

const Secret = Type.Object({ id: Uuid, created_at: Timestamp })
export const ClientView = Type.Object({
  client_id: Type.String(),
  organization_id: Uuid,
  organization_name: Type.String(),
  name: Type.String(),
  logo: Nullable(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  secrets: Type.Array(Secret, { description: 'The valid secrets, oldest first' }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export const ClientWithSecret = Type.Object({
  ...ClientView.properties,
  client_secret: Type.String({ description: 'Shown only in this response' }),
})

export const ClientPage = pageOf(ClientView)
export const ClientQuery = Type.Object({
  ...pagingQuery(['created_at', 'name'], { sort: 'created_at', dir: 'Desc' }).properties,
  organization_id: Type.Optional(Uuid),
  q: SearchText('Part of a name or of a client id'),
})
export type ClientQuery = Static<typeof ClientQuery>
export const ClientParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })
export const SecretParams = Type.Object({ ...ClientParams.properties, secret_id: Uuid })
