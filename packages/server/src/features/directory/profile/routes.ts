import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AccountChange } from '../../identity/accounts/index.ts'
import { callerOf } from '../../operations/access/index.ts'
import type { Profile } from './profile.ts'
import { ChangedUser, CurrentUser, LoadedUser, LoadQuery } from './schema.ts'

/** Scopes of the optional parts of an account. An API key without a scope gets that part empty. */
const partScopes = ['user:writeSelf', 'emoji::transfer'] as const

export const profileRoutes: FastifyPluginAsyncTypebox<{ profile: Profile }> = async (
  app,
  options,
) => {
  const { profile } = options
  const tags = ['Account']

  app.route({
    method: 'GET',
    url: '/account',
    config: {
      access: 'user',
      without_second_factor: true,
      key_scopes: [...partScopes, 'organizationList:read'],
    },
    schema: {
      operationId: 'showAccount',
      tags,
      summary: 'Show the current user',
      response: { 200: CurrentUser },
    },
    handler: async (request) =>
      profile.describeAccount(callerOf(request).user_id, callerOf(request)),
  })

  app.route({
    method: 'PATCH',
    url: '/account',
    config: { access: 'user:writeSelf' },
    schema: {
      operationId: 'updateAccount',
      tags,
      summary: 'Change the current user',
      description: 'A new password ends all sessions; token_response has the tokens of a new one.',
      body: AccountChange,
      response: { 200: ChangedUser },
    },
    handler: async (request) =>
      profile.changeAccount(callerOf(request), request.body, {
        address: request.ip,
        user_agent: request.headers['user-agent'],
      }),
  })

  app.route({
    method: 'GET',
    url: '/account/load',
    config: {
      access: 'user',
      without_second_factor: true,
      limited: true,
      more_scopes: ['adminEmoji:load'],
      key_scopes: [...partScopes, 'userEmoji:list', 'organizationEmoji:list', 'adminUser:load'],
    },
    schema: {
      operationId: 'loadAccount',
      tags,
      summary: 'Load the start data of an application',
      querystring: LoadQuery,
      response: { 200: LoadedUser },
    },
    handler: async (request) => profile.loadAccount(callerOf(request), request.query),
  })
}
