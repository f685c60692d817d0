import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listOf } from '../../../platform/http/api/paging.ts'
import { OptionalReasonBody, UuidParams } from '../../../platform/http/api/schemas.ts'
import { DisplayUser } from '../../identity/accounts/accounts.ts'
import { callerOf } from '../../operations/access/access.ts'
import * as schema from './schema.ts'
import type { Users } from './users.ts'

export const userRoutes: FastifyPluginAsyncTypebox<{ users: Users }> = async (app, options) => {
  const { users } = options
  const tags = ['Users']
  const params = UuidParams

  app.get('/users', {
    config: {
      access: 'user:list',
      csv: [
        'id',
        'email',
        'alternate_id',
        'first_name',
        'last_name',
        'role',
        'emoji_ids',
        'email_verified_at',
        'deactivated_at',
        'created_at',
      ],
    },
    schema: {
      operationId: 'listUsers',
      tags,
      summary: 'List users',
      ...listOf(schema.UserQuery, schema.ExtendedUser),
    },
    handler: async ({ query }) => users.listUsers(query),
  })

  app.get('/users/:id', {
    config: { access: ['user:writeSelf', 'user:show'] },
    schema: {
      operationId: 'showUser',
      tags,
      summary: 'Show a user',
      description: 'The own account; any account with user:show.',
      params,
      response: { 200: schema.OneUser },
    },
    handler: async (request) => users.showUser(callerOf(request), request.params.id),
  })

  app.patch('/users/:id', {
    config: {
      access: 'user:write',
      more_scopes: ['adminUser:roleUpdate'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'updateUser',
      tags,
      summary: 'Change a user as an administrator',
      description:
        'A role, an address or a password requires a fresh code, or a sign-in within the last 15 minutes from accounts without a second factor; API keys can’t change them. A new email address is `pending_email` until its mailbox confirms it; `email` stays until then.',
      params,
      body: schema.AdminChange,
      response: { 200: DisplayUser },
    },
    handler: async (request) =>
      users.updateUser(callerOf(request), request.params.id, request.body),
  })

  app.delete('/users/:id', {
    config: { access: ['user:deleteSelf', 'user:delete'], sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deleteUser',
      tags,
      summary: 'Delete a user',
      description: 'Deactivates the account and removes its personal data.',
      params,
      querystring: OptionalReasonBody,
      response: { 200: DisplayUser },
    },
    handler: async (request) =>
      users.removeUser(callerOf(request), request.params.id, request.query.reason),
  })

  app.get('/user_features', {
    config: { access: 'user', key_scopes: ['user:writeSelf'] },
    schema: {
      operationId: 'listUserFeatures',
      tags,
      summary: 'List the features of the current user',
      description:
        'Names of optional features that an operator switched on for the account. Applications decide what they mean; the directory itself has none.',
      response: { 200: schema.FeatureList },
    },
    handler: async (request) => users.listFeatures(callerOf(request).user_id),
  })

  await app.register(operatorRoutes, options)
}

const operatorRoutes: FastifyPluginAsyncTypebox<{ users: Users }> = async (app, options) => {
  const { users } = options
  const tags = ['Operators']
  const params = UuidParams

  app.post('/admin/users/:id/activate', {
    config: { access: 'user:write', sensitive: 'code_or_nothing', more_scopes: ['user:activate'] },
    schema: {
      operationId: 'activateUser',
      tags,
      summary: 'Activate a user',
      description: 'Restores the ids that were suspended with the account.',
      params,
      body: schema.Activation,
      response: { 200: DisplayUser },
    },
    handler: async (request) =>
      users.activateUser(callerOf(request), request.params.id, request.body),
  })

  app.post('/admin/users/:id/deactivate', {
    config: { access: 'user:write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'deactivateUser',
      tags,
      summary: 'Deactivate a user',
      description:
        'Ends all access and suspends the ids of the user. The person can’t buy again with the same account, verified email address or card.',
      params,
      body: schema.Deactivation,
      response: { 200: DisplayUser },
    },
    handler: async (request) =>
      users.deactivateUser(callerOf(request), request.params.id, request.body),
  })

  app.get('/admin/users/:id/features', {
    config: { access: 'feature::read' },
    schema: {
      operationId: 'listFeaturesOfUser',
      tags,
      summary: 'List the features of a user',
      params,
      response: { 200: schema.FeatureList },
    },
    handler: async ({ params }) => users.listFeaturesOf(params.id),
  })

  app.put('/admin/users/:id/features', {
    config: { access: 'feature::write', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'setUserFeatures',
      tags,
      summary: 'Replace the features of a user',
      params,
      body: schema.FeatureChange,
      response: { 200: schema.FeatureList },
    },
    handler: async (request) =>
      users.setFeatures(callerOf(request), request.params.id, request.body),
  })

  app.get('/admin/features', {
    config: { access: 'feature::read' },
    schema: {
      operationId: 'listFeatures',
      tags,
      summary: 'List all features',
      response: { 200: schema.FeatureList },
    },
    handler: async () => users.listAllFeatures(),
  })
}
