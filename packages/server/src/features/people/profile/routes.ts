import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { groupRoutes, Hex32, Nullable, Withheld } from '../../../platform/http/api/schemas.ts'
import { ExtendedList } from '../../directory/emoji-ids/emoji-ids.ts'
import { TransferList, TransferPage } from '../../directory/transfers/transfers.ts'
import { AccountChange, DisplayUser } from '../../identity/accounts/accounts.ts'
import { TokenAnswer } from '../../identity/sessions/sessions.ts'
import { callerOf, RoleName, ScopeName } from '../../operations/access/access.ts'
import { Feature } from '../users/users.ts'
import type { Profile } from './profile.ts'

const members = {
  features: Type.Array(Feature, {
    description:
      'Optional features that an operator switched on for this account. Applications read them; the directory itself does not',
  }),
  global_scopes: Type.Array(ScopeName),
  organization_roles: Type.Record(Type.String(), RoleName),
  organization_scopes: Type.Record(Type.String(), Type.Array(ScopeName)),
  pending_transfers: Type.Array(Type.String()),
  pubkeys: Type.Array(Hex32),
  role: RoleName,
  user: DisplayUser,
  has_password: Type.Boolean({ description: 'If false, the account signs in by emailed links' }),
  email_needs_password: Type.Boolean({
    description: 'Whether a new email address requires current_password',
  }),
  partner_transaction_id: Nullable(Type.String()),
  unread_notifications: Type.Optional(
    Type.Integer({ description: 'Only in a session of the user, not for API keys' }),
  ),
  withheld: Withheld,
}
const CurrentUser = Type.Object(members)
const ChangedUser = Type.Object({
  ...members,
  token_response: Nullable(TokenAnswer),
})

const LoadQuery = Type.Object({
  user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Needs adminUser:load' })),
  organization_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Needs a power role in it' }),
  ),
})
const LoadedUser = Type.Object({
  current_user: CurrentUser,
  editions: Type.Array(Type.Integer(), {
    description: 'Always empty: this directory sells no numbered editions',
  }),
  extended_list: ExtendedList,
  incoming_transfers: TransferList,
  outgoing_transfers: TransferPage,
  wallets: Type.Array(Type.Unknown()),
  partner_transaction_id: Nullable(Type.String()),
  sidebar: Type.Null({ description: 'Always null: each application has its own navigation' }),
  withheld: Withheld,
})

/** Scopes of the optional parts of an account. An API key without a scope gets that part empty. */
const partScopes = ['user:writeSelf', 'emoji::transfer'] as const

export const profileRoutes: FastifyPluginAsyncTypebox<{ profile: Profile }> = async (
  app,
  options,
) => {
  const { profile } = options
  groupRoutes(app, 'Account')

  app.get('/account', {
    config: {
      access: 'user',
      without_second_factor: true,
      key_scopes: [...partScopes, 'organizationList:read'],
    },
    schema: {
      operationId: 'showAccount',
      summary: 'Show the current user',
      response: { 200: CurrentUser },
    },
    handler: async (request) =>
      profile.describeAccount(callerOf(request).user_id, callerOf(request)),
  })

  app.patch('/account', {
    config: { access: 'user:writeSelf' },
    schema: {
      operationId: 'updateAccount',
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

  app.get('/account/load', {
    config: {
      access: 'user',
      without_second_factor: true,
      cost: 'by_use_case',
      more_scopes: ['adminEmoji:load'],
      key_scopes: [...partScopes, 'userEmoji:list', 'organizationEmoji:list', 'adminUser:load'],
    },
    schema: {
      operationId: 'loadAccount',
      summary: 'Load the start data of an application',
      querystring: LoadQuery,
      response: { 200: LoadedUser },
    },
    handler: async (request) => profile.loadAccount(callerOf(request), request.query),
  })
}
