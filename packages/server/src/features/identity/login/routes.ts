import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { groupRoutes, Nullable, OneOf } from '../../../platform/http/api/schemas.ts'
import { deviceOf, keepDevice, readCookies } from '../../../platform/http/pages/cookies.ts'
import { anyCallerOf } from '../../operations/access/access.ts'
import { Registration } from '../accounts/accounts.ts'
import { TokenAnswer } from '../sessions/sessions.ts'
import type { Login, Origin } from './login.ts'

const OptionalText = () => Type.Optional(Nullable(Type.String()))

export const LoginBody = Type.Object({
  email: OptionalText(),
  alternate_id: OptionalText(),
  password: Type.String(),
  g_recaptcha_response: OptionalText(),
})
export type LoginBody = Static<typeof LoginBody>

export const MagicLinkBody = Type.Object({
  email: OptionalText(),
  user_id: Type.Optional(Nullable(Type.String({ format: 'uuid' }))),
  redirect: OptionalText(),
  g_recaptcha_response: OptionalText(),
})
export type MagicLinkBody = Static<typeof MagicLinkBody>

export const ResetBody = Type.Object({ email: Type.String(), g_recaptcha_response: OptionalText() })
export type ResetBody = Static<typeof ResetBody>

const LinkAnswer = Type.Object({
  message: Type.String(),
  status: OneOf(['Active', 'RegisteredInactive', 'RegisteredActive', 'Inactive'] as const),
})

const ExchangeBody = Type.Object({ code: Type.String({ maxLength: 5_000 }) })

const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  user_agent: request.headers['user-agent'],
  device: deviceOf(request),
})

export const loginRoutes: FastifyPluginAsyncTypebox<{ login: Login }> = async (app, { login }) => {
  await readCookies(app)
  groupRoutes(app, 'Sessions')
  const config = { access: 'public' } as const

  app.post('/users', {
    config: {
      access: 'optional',
      key_scopes: ['user:activate'],
      idempotent: 'secret',
      per_minute: 300,
    },
    schema: {
      operationId: 'registerUser',
      tags: ['Users'],
      summary: 'Register a user',
      body: Registration,
      response: { 200: TokenAnswer },
    },
    handler: async (request) =>
      login.registerAccount(request.body, originOf(request), anyCallerOf(request)),
  })

  app.post('/auth/token', {
    config,
    schema: {
      operationId: 'login',
      summary: 'Sign in with a password',
      body: LoginBody,
      response: { 200: TokenAnswer },
    },
    handler: async (request, reply) => {
      const { opened, device } = await login.logIn(request.body, originOf(request))
      keepDevice(reply, device)
      return opened
    },
  })

  app.post('/auth/magic_link', {
    config: { ...config, per_minute: 100 },
    schema: {
      operationId: 'requestMagicLink',
      summary: 'Email a sign-in link',
      body: MagicLinkBody,
      response: { 200: LinkAnswer },
    },
    handler: async (request) => login.requestSignInLink(request.body, originOf(request)),
  })

  app.post('/auth/password_reset', {
    config: { ...config, per_minute: 100 },
    schema: {
      operationId: 'requestPasswordReset',
      summary: 'Email a password reset link',
      body: ResetBody,
      response: { 200: LinkAnswer },
    },
    handler: async (request) => login.requestPasswordReset(request.body, originOf(request)),
  })

  app.post('/auth/exchange', {
    config,
    schema: {
      operationId: 'exchangeCode',
      summary: 'Exchange the one-time code of a link for tokens',
      body: ExchangeBody,
      response: { 200: TokenAnswer },
    },
    handler: async (request) => login.exchangeCode(request.body.code, originOf(request)),
  })
}
