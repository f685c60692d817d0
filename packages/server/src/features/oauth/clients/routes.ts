import { textLengths } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  groupRoutes,
  Nothing,
  Nullable,
  OptionalReason,
  OptionalReasonBody,
  SearchText,
  ShownName,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Clients } from './clients.ts'

const Uuid = Type.String({ format: 'uuid' })
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
  minItems: 1,
  maxItems: 20,
  description: 'https, or http on localhost, without a fragment. Must match the request exactly',
})
const Logo = Type.String({
  ...textLengths.logo,
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
const ClientView = Type.Object({
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
const ClientWithSecret = Type.Object({
  ...ClientView.properties,
  client_secret: Type.String({ description: 'Shown only in this response' }),
})

export const ClientQuery = Type.Object({
  ...pagingQuery(['created_at', 'name'], { sort: 'created_at', dir: 'Desc' }).properties,
  organization_id: Type.Optional(Uuid),
  q: SearchText('Part of a name or of a client id'),
})
export type ClientQuery = Static<typeof ClientQuery>
const ClientParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })
const SecretParams = Type.Object({ ...ClientParams.properties, secret_id: Uuid })

type Options = { clients: Clients }

export const clientRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { clients } = options
  groupRoutes(app, 'Operators')
  const administered = { access: 'user', key_scopes: ['organization:admin'] } as const
  // These changes decide which site receives the authorization codes of users.
  const guarded = { ...administered, sensitive: 'code_or_sign_in' } as const
  const read = { access: 'user', key_scopes: ['organization:admin', 'organization:read'] } as const
  const params = ClientParams

  app.post('/admin/oauth_clients', {
    config: { ...guarded, idempotent: 'secret' },
    schema: {
      operationId: 'createOauthClient',
      summary: 'Register an application for “Log in with your emoji id”',
      body: NewClient,
      response: { 200: ClientWithSecret },
    },
    handler: async (request) => clients.createClient(callerOf(request), request.body),
  })

  app.get('/admin/oauth_clients', {
    config: {
      ...read,
      csv: ['client_id', 'name', 'organization_name', 'redirect_uris', 'created_at'],
    },
    schema: {
      operationId: 'listOauthClients',
      summary: 'List applications',
      description: 'Members of an organization must send its organization_id.',
      ...listOf(ClientQuery, ClientView),
    },
    handler: async (request) => clients.listClients(callerOf(request), request.query),
  })

  app.get('/admin/oauth_clients/:id', {
    config: read,
    schema: {
      operationId: 'showOauthClient',
      summary: 'Show an application',
      params,
      response: { 200: ClientView },
    },
    handler: async (request) => clients.loadClient(callerOf(request), request.params.id),
  })

  app.patch('/admin/oauth_clients/:id', {
    config: guarded,
    schema: {
      operationId: 'updateOauthClient',
      summary: 'Change an application',
      params,
      body: ClientChange,
      response: { 200: ClientView },
    },
    handler: async (request) =>
      clients.changeClient(callerOf(request), request.params.id, request.body),
  })

  app.delete('/admin/oauth_clients/:id', {
    config: { ...administered, sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteOauthClient',
      summary: 'Delete an application',
      description: 'Revokes its tokens immediately.',
      params,
      querystring: OptionalReasonBody,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await clients.deleteClient(callerOf(request), request.params.id, request.query.reason)
      return {}
    },
  })

  app.post('/admin/oauth_clients/:id/secrets', {
    config: { ...guarded, idempotent: 'secret' },
    schema: {
      operationId: 'addOauthSecret',
      summary: 'Create a second secret for rotation',
      params,
      querystring: OptionalReasonBody,
      response: { 200: ClientWithSecret },
    },
    handler: async (request) =>
      clients.addSecret(callerOf(request), request.params.id, request.query.reason),
  })

  app.delete('/admin/oauth_clients/:id/secrets/:secret_id', {
    config: guarded,
    schema: {
      operationId: 'deleteOauthSecret',
      summary: 'Delete a secret',
      params: SecretParams,
      querystring: OptionalReasonBody,
      response: { 200: ClientView },
    },
    handler: async (request) => {
      const { id, secret_id } = request.params
      return clients.removeSecret(callerOf(request), id, secret_id, request.query.reason)
    },
  })
}
