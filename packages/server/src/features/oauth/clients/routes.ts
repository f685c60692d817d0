import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Nothing, OptionalReasonBody } from '../../../platform/http/schemas.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Clients } from './clients.ts'
import * as schema from './schema.ts'

type Options = { clients: Clients }

export const clientRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { clients } = options
  const tags = ['Operators']
  const administered = { access: 'user', key_scopes: ['organization:admin'] } as const
  // These changes decide which site receives the authorization codes of users.
  const guarded = { ...administered, sensitive: 'code_or_sign_in' } as const
  const read = { access: 'user', key_scopes: ['organization:admin', 'organization:read'] } as const
  const params = schema.ClientParams

  app.route({
    method: 'POST',
    url: '/admin/oauth_clients',
    config: { ...guarded, idempotent: 'secret' },
    schema: {
      operationId: 'createOauthClient',
      tags,
      summary: 'Register an application for “Log in with your emoji id”',
      body: schema.NewClient,
      response: { 200: schema.ClientWithSecret },
    },
    handler: async (request) => clients.createClient(callerOf(request), request.body),
  })

  app.route({
    method: 'GET',
    url: '/admin/oauth_clients',
    config: {
      ...read,
      csv: ['client_id', 'name', 'organization_name', 'redirect_uris', 'created_at'],
    },
    schema: {
      operationId: 'listOauthClients',
      tags,
      summary: 'List applications',
      description: 'Members of an organization must send its organization_id.',
      querystring: schema.ClientQuery,
      response: { 200: schema.ClientPage },
    },
    handler: async (request) => clients.listClients(callerOf(request), request.query),
  })

  app.route({
    method: 'GET',
    url: '/admin/oauth_clients/:id',
    config: read,
    schema: {
      operationId: 'showOauthClient',
      tags,
      summary: 'Show an application',
      params,
      response: { 200: schema.ClientView },
    },
    handler: async (request) => clients.loadClient(callerOf(request), request.params.id),
  })

  app.route({
    method: 'PATCH',
    url: '/admin/oauth_clients/:id',
    config: guarded,
    schema: {
      operationId: 'updateOauthClient',
      tags,
      summary: 'Change an application',
      params,
      body: schema.ClientChange,
      response: { 200: schema.ClientView },
    },
    handler: async (request) =>
      clients.changeClient(callerOf(request), request.params.id, request.body),
  })

  app.route({
    method: 'DELETE',
    url: '/admin/oauth_clients/:id',
    config: { ...administered, sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteOauthClient',
      tags,
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

  app.route({
    method: 'POST',
    url: '/admin/oauth_clients/:id/secrets',
    config: { ...guarded, idempotent: 'secret' },
    schema: {
      operationId: 'addOauthSecret',
      tags,
      summary: 'Create a second secret for rotation',
      params,
      querystring: OptionalReasonBody,
      response: { 200: schema.ClientWithSecret },
    },
    handler: async (request) =>
      clients.addSecret(callerOf(request), request.params.id, request.query.reason),
  })

  app.route({
    method: 'DELETE',
    url: '/admin/oauth_clients/:id/secrets/:secret_id',
    config: guarded,
    schema: {
      operationId: 'deleteOauthSecret',
      tags,
      summary: 'Delete a secret',
      params: schema.SecretParams,
      querystring: OptionalReasonBody,
      response: { 200: schema.ClientView },
    },
    handler: async (request) => {
      const { id, secret_id } = request.params
      return clients.removeSecret(callerOf(request), id, secret_id, request.query.reason)
    },
  })
}
