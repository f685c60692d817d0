import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes, Nothing } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { GiveCodeBody } from '../second-factor/second-factor.ts'
import { Jwks, RefreshBody, SessionList, SessionParams, TokenAnswer } from './schema.ts'
import type { Sessions } from './sessions.ts'

export const sessionRoutes: FastifyPluginAsyncTypebox<{ sessions: Sessions }> = async (
  app,
  options,
) => {
  const { sessions } = options
  // A partner's server refreshes the tokens of all its users from one network.
  const per_minute = 3_000
  groupRoutes(app, 'Sessions')

  app.post('/auth/token/refresh', {
    config: { access: 'public', per_minute },
    schema: {
      operationId: 'refreshToken',
      summary: 'Refresh the tokens of a session',
      body: RefreshBody,
      response: { 200: TokenAnswer },
    },
    handler: async ({ body }) => sessions.refreshSession(body.refresh_token),
  })

  app.post('/auth/2fa', {
    config: { access: 'public', per_minute },
    schema: {
      operationId: 'giveCode',
      summary: 'Submit the code of a second factor',
      description:
        'Finishes a sign-in with requires_2fa, and refreshes the second factor after a 424 response.',
      body: GiveCodeBody,
      response: { 200: TokenAnswer },
    },
    handler: async ({ body }) => sessions.giveSessionCode(body.refresh_token, body.code),
  })

  app.post('/logout', {
    config: { access: 'user:writeSelf', without_second_factor: true },
    schema: {
      operationId: 'logout',
      summary: 'End all sessions of the current user',
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await sessions.logOut(callerOf(request))
      return {}
    },
  })

  app.get('/account/sessions', {
    config: { access: 'session', without_second_factor: true },
    schema: {
      operationId: 'listSessions',
      summary: 'List the open sessions',
      description:
        'An account has at most 100. Opening another one ends the least recently used ones.',
      response: { 200: SessionList },
    },
    handler: async (request) => sessions.listSessions(callerOf(request)),
  })

  app.delete('/account/sessions', {
    config: { access: 'session', without_second_factor: true },
    schema: {
      operationId: 'endOtherSessions',
      summary: 'End all other sessions',
      description:
        'Also voids sign-in links that were opened, unused codes of applications, and a change of the email address that another session requested.',
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await sessions.endOtherSessions(callerOf(request))
      return {}
    },
  })

  app.delete('/account/sessions/:id', {
    config: { access: 'session', without_second_factor: true },
    schema: {
      operationId: 'endSession',
      summary: 'End one session',
      params: SessionParams,
      response: { 200: Nothing },
    },
    handler: async (request) => {
      await sessions.endOwnSession(callerOf(request), request.params.id)
      return {}
    },
  })

  app.get('/auth/jwks', {
    config: { access: 'public' },
    schema: {
      operationId: 'jwks',
      summary: 'List the public keys that verify access tokens',
      response: { 200: Jwks },
    },
    handler: async () => sessions.jwks,
  })
}
