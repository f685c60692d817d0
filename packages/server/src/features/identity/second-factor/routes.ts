import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupRoutes, UuidParams, Why } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import * as schema from './schema.ts'
import type { SecondFactor } from './second-factor.ts'

type Options = { secondFactor: SecondFactor }

export const secondFactorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, options) => {
  const { secondFactor } = options
  groupRoutes(app, 'Second factor')
  const setUp = { access: 'session', without_second_factor: true } as const

  for (const [path, operationId] of [
    ['/account/2fa', 'enableSecondFactor'],
    ['/account/2fa/enable', 'enableSecondFactorAlias'],
  ] as const) {
    app.post(path, {
      config: { ...setUp, sensitive: 'code_or_nothing', idempotent: 'secret' },
      schema: {
        operationId,
        summary: 'Prepare a second factor',
        description:
          'The second factor takes effect once you confirm a code. Backup codes are shown once. Requires current_password, or a sign-in within the last 15 minutes.',
        body: schema.EnableBody,
        response: { 200: schema.EnableAnswer },
      },
      handler: async (request) => secondFactor.enableFactor(callerOf(request), request.body),
    })
  }

  app.post('/account/2fa/confirm', {
    config: setUp,
    schema: {
      operationId: 'confirmSecondFactor',
      summary: 'Enable a second factor',
      body: schema.CodeBody,
      response: { 200: schema.Message },
    },
    handler: async (request) => {
      await secondFactor.confirmFactor(callerOf(request), request.body.code)
      return { message: 'The second factor is enabled.' }
    },
  })

  app.post('/account/2fa/disable', {
    config: { access: 'session', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'disableSecondFactor',
      summary: 'Remove a second factor',
      body: schema.DisableBody,
      response: { 200: schema.Message },
    },
    handler: async (request) => {
      await secondFactor.disableFactor(callerOf(request), request.body)
      return { message: 'The second factor is removed.' }
    },
  })

  app.post('/account/2fa/backup_disable', {
    config: { access: 'public' },
    schema: {
      operationId: 'disableByBackupCode',
      summary: 'Remove a second factor with a backup code',
      body: schema.BackupDisableBody,
      response: { 200: schema.Message },
    },
    handler: async ({ body, ip }) => {
      await secondFactor.disableByBackupCode(body, ip)
      return { message: 'The second factor is removed. Sign in again.' }
    },
  })

  app.post('/account/2fa/sms_code', {
    config: { access: 'any_session', without_second_factor: true },
    schema: {
      operationId: 'sendSmsCode',
      summary: 'Send a code by text message',
      response: { 200: schema.SmsAnswer },
    },
    handler: async (request) => secondFactor.sendCode(callerOf(request)),
  })

  app.post('/admin/users/:id/remove_2fa', {
    config: { access: 'adminUser:twoFactorAuthDestroy', sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'removeSecondFactor',
      tags: ['Operators'],
      summary: 'Remove the second factor of a user',
      params: UuidParams,
      body: Why,
      response: { 200: schema.Message },
    },
    handler: async (request) => {
      await secondFactor.removeFactorOf(callerOf(request), request.params.id, request.body.reason)
      return { message: 'The second factor is removed. All sessions were signed out.' }
    },
  })
}
