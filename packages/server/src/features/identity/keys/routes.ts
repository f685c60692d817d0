import { proofDomain, proofMessage } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { asJson } from '../../../platform/http/api/json.ts'
import {
  groupRoutes,
  Hex32,
  OneOf,
  OptionalReasonBody,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { Keys } from './keys.ts'

const PubkeyList = Type.Array(Hex32)
const OwnKeyList = Type.Array(
  Type.Object({
    pubkey: Hex32,
    /** `kept_here`: the service keeps the private key. `proven`: the owner signed with it. */
    state: OneOf(['kept_here', 'proven', 'unproven']),
    created_at: Timestamp,
  }),
)
const PubkeyParams = Type.Object({ pubkey: Hex32 })
const UserParams = Type.Object({ user_id: Type.String({ format: 'uuid' }) })
const UserPubkeyParams = Type.Object({
  user_id: Type.String({ format: 'uuid' }),
  pubkey: Hex32,
})
const ProofBody = Type.Object({
  nonce: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'R of the signature' }),
  signature: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 's of the signature' }),
})

export const keyRoutes: FastifyPluginAsyncTypebox<{ keys: Keys }> = async (app, { keys }) => {
  groupRoutes(app, 'Keys')
  const response = { 200: Hex32 }

  app.get('/pubkeys', {
    config: { access: 'user', key_scopes: ['user:writeSelf'] },
    schema: {
      operationId: 'listPubkeys',
      summary: 'List own public keys',
      response: { 200: PubkeyList },
    },
    handler: async (request) => keys.listKeys(callerOf(request).user_id),
  })

  app.get('/account/pubkeys', {
    config: { access: 'user', key_scopes: ['user:writeSelf'] },
    schema: {
      operationId: 'describePubkeys',
      summary: 'List own public keys with their states',
      response: { 200: OwnKeyList },
    },
    handler: async (request) => keys.describeKey(callerOf(request).user_id),
  })

  app.post('/pubkeys', {
    config: { access: 'user:writeSelf', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'generatePubkey',
      summary: 'Create another custodial key',
      response,
    },
    handler: async (request, reply) => asJson(reply, await keys.generateKey(callerOf(request))),
  })

  app.post('/pubkeys/:pubkey', {
    config: { access: 'user:writeSelf', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'addPubkey',
      summary: 'Add a public key of your own',
      description: 'You keep the private key. The key can own ids once you prove it.',
      params: PubkeyParams,
      response,
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      return asJson(reply, await keys.addKey(caller, caller.user_id, request.params.pubkey))
    },
  })

  app.post('/pubkeys/:pubkey/prove', {
    // A signature takes 6 ms to check.
    config: {
      access: 'user:writeSelf',
      sensitive: 'code_or_sign_in',
      per_minute: 120,
    },
    schema: {
      operationId: 'provePubkey',
      summary: 'Prove that a key is yours',
      description: `Schnorr over Ristretto255 with e = BLAKE2b-256(domain ‖ R ‖ P ‖ message), domain "${proofDomain}", message "${proofMessage('{pubkey}', '{user_id}')}"`,
      params: PubkeyParams,
      body: ProofBody,
      response,
    },
    handler: async (request, reply) =>
      asJson(reply, await keys.proveKey(callerOf(request), request.params.pubkey, request.body)),
  })

  app.get('/users/:user_id/pubkeys', {
    config: { access: ['user:writeSelf', 'userPubkeys:list'] },
    schema: {
      operationId: 'listUserPubkeys',
      summary: 'List the public keys of a user',
      description: 'Your own keys, or with userPubkeys:list the keys of any user.',
      params: UserParams,
      response: { 200: PubkeyList },
    },
    handler: async (request) => keys.listKeysOf(callerOf(request), request.params.user_id),
  })

  app.post('/users/:user_id/pubkeys/:pubkey', {
    config: { access: 'userPubkeys:write', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'addUserPubkey',
      summary: 'Add a public key for a user',
      params: UserPubkeyParams,
      querystring: OptionalReasonBody,
      response,
    },
    handler: async (request, reply) => {
      const { user_id, pubkey } = request.params
      return asJson(reply, await keys.addKey(callerOf(request), user_id, pubkey, request.query))
    },
  })
}
