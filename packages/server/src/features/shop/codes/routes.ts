import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { asJson } from '../../../platform/http/api/json.ts'
import { listOf } from '../../../platform/http/api/paging.ts'
import { groupRoutes, Hex32, OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Codes } from './codes.ts'
import * as schema from './schema.ts'

/** For administrators, and for power roles of the organization that owns a code. */
export const codeRoutes: FastifyPluginAsyncTypebox<{ codes: Codes }> = async (app, { codes }) => {
  groupRoutes(app, 'Codes')

  app.get('/codes', {
    config: {
      access: 'user',
      key_scopes: ['code:read', 'organizationCode:admin'],
      csv: [
        'id',
        'name',
        'code_type',
        'activator',
        'redemption_code',
        'discount_as_percentage',
        'discount_in_cents',
        'start_date',
        'end_date',
        'max_uses',
        'total_uses',
        'available',
        'organization_id',
        'created_at',
        'deleted_at',
      ],
    },
    schema: {
      operationId: 'listCodes',
      summary: 'List codes with availability',
      description:
        'All codes with code:read; codes of an organization also for its power roles. Deleted codes are marked.',
      ...listOf(schema.CodeQuery, schema.CodeView),
    },
    handler: async (request) => codes.listCodes(callerOf(request), request.query),
  })

  app.post('/admin/codes', {
    bodyLimit: 64 * 1024,
    config: {
      access: 'user',
      key_scopes: ['code:write', 'organizationCode:admin'],
      sensitive: 'code_or_nothing',
      idempotent: true,
    },
    schema: {
      operationId: 'createCode',
      tags: ['Operators'],
      summary: 'Create a code',
      description: 'Needs code:write, or organizationCode:admin in the organization of the code.',
      body: schema.NewCode,
      response: { 200: schema.CodeView },
    },
    handler: async (request) =>
      codes.createCode(callerOf(request), request.body, networkOf(request.ip)),
  })

  app.patch('/admin/codes/:id', {
    bodyLimit: 64 * 1024,
    config: {
      access: 'user',
      key_scopes: ['code:write', 'organizationCode:admin'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'updateCode',
      tags: ['Operators'],
      summary: 'Change a code',
      description:
        'Carts with the code keep its former terms. A discount of one kind replaces the other.',
      params: schema.CodeParams,
      body: schema.CodeChange,
      response: { 200: schema.CodeView },
    },
    handler: async (request) =>
      codes.changeCode(callerOf(request), request.params.id, request.body, networkOf(request.ip)),
  })

  app.delete('/admin/codes/:id', {
    config: {
      access: 'user',
      key_scopes: ['code:delete', 'organizationCode:admin'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'deleteCode',
      tags: ['Operators'],
      summary: 'Delete a code',
      description:
        'The code cannot be used again; carts with the code keep it. A new code may have the same text.',
      params: schema.CodeParams,
      querystring: OptionalReasonBody,
      response: { 200: schema.CodeView },
    },
    handler: async (request) =>
      codes.removeCode(callerOf(request), request.params.id, request.query),
  })

  app.post('/codes/:code_id/pubkeys/:pubkey', {
    config: {
      access: 'user',
      key_scopes: ['code:write', 'organizationCode:admin'],
      sensitive: 'code_or_sign_in',
      idempotent: true,
    },
    schema: {
      operationId: 'addCodePubkey',
      summary: 'Allow a pubkey for a code',
      params: schema.PubkeyParams,
      querystring: OptionalReasonBody,
      response: { 200: Hex32 },
    },
    handler: async (request, reply) => {
      const target = { ...request.params, ...request.query }
      return asJson(reply, await codes.addPubkey(callerOf(request), target))
    },
  })

  app.delete('/codes/:code_id/pubkeys/:pubkey', {
    config: {
      access: 'user',
      key_scopes: ['code:write', 'organizationCode:admin'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'revokeCodePubkey',
      summary: 'Revoke a pubkey of a code',
      params: schema.PubkeyParams,
      querystring: OptionalReasonBody,
      response: { 200: Hex32 },
    },
    handler: async (request, reply) => {
      const target = { ...request.params, ...request.query }
      return asJson(reply, await codes.revokePubkey(callerOf(request), target))
    },
  })
}

export const codeUseRoutes: FastifyPluginAsyncTypebox<{ codes: Codes }> = async (
  app,
  { codes },
) => {
  app.get('/admin/codes/:id/uses', {
    config: {
      access: 'code:read',
      csv: [
        'order_id',
        'order_number',
        'order_status',
        'user_id',
        'email',
        'emoji_ids',
        'created_at',
        'counted_at',
      ],
    },
    schema: {
      operationId: 'listCodeUses',
      tags: ['Operators'],
      summary: 'List the uses of a code with their ids',
      params: schema.CodeParams,
      ...listOf(schema.UseQuery, schema.CodeUse),
    },
    handler: async ({ params, query }) => codes.listCodeUses(params.id, query),
  })
}
