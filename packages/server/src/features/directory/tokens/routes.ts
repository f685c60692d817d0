import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../operations/access/index.ts'
import { ListItem, readEmojiId } from '../emoji-ids/emoji-ids.ts'
import * as schema from './schema.ts'
import type { Tokens } from './tokens.ts'

export const tokenRoutes: FastifyPluginAsyncTypebox<{ tokens: Tokens }> = async (app, options) => {
  const { tokens } = options

  app.route({
    method: 'POST',
    url: '/emoji_id/:emoji_id/generate_signature',
    config: { access: 'nftSignature:write', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'generateSignature',
      tags: ['Own ids'],
      summary: 'Sign a mint permission',
      description:
        'Over keccak256("svcNFT" ‖ token ‖ account ‖ expiry as uint256), as an Ethereum message. The id can’t be transferred or released until the signature expires, nor released or refunded until an hour later, in which a mint is reported. An id paid by card can be signed for only some days later (`paid_by_card`, `possible_at`).',
      params: schema.IdParams,
      body: schema.SignatureRequest,
      response: { 200: schema.SignatureAnswer },
    },
    handler: async (request) =>
      tokens.signMint(callerOf(request), readEmojiId(request.params.emoji_id), request.body),
  })

  app.route({
    method: 'GET',
    url: '/nft_transfers/metadata/:token_id',
    config: { access: 'public' },
    schema: {
      operationId: 'tokenMetadata',
      tags: ['Directory'],
      summary: 'Token metadata',
      params: schema.TokenParams,
      response: { 200: schema.TokenMetadata },
    },
    handler: async (request) => tokens.showMetadata(request.params.token_id),
  })

  app.route({
    method: 'GET',
    url: '/admin/tokens',
    config: {
      access: 'adminEmoji:load',
      csv: [
        'emoji_id',
        'canonical_format',
        'token_id',
        'minted',
        'signed_until',
        'owner',
        'signatures.account',
      ],
    },
    schema: {
      operationId: 'listTokens',
      tags: ['Operators'],
      summary: 'List ids that may be minted or are minted',
      description:
        'With valid signatures and those that expired last. A monitor of the contract compares them with the chain and reports minted ids (setMinted).',
      querystring: schema.TokenQuery,
      response: { 200: schema.TokenPage },
    },
    handler: async (request) => tokens.listTokens(request.query),
  })

  app.route({
    method: 'PUT',
    url: '/admin/emoji_ids/:emoji_id/minted',
    config: {
      access: 'adminEmoji:updateFeatures',
      more_scopes: ['nftToken:destroy'],
      sensitive: 'code_or_nothing',
    },
    schema: {
      operationId: 'setMinted',
      tags: ['Operators'],
      summary: 'Set whether an id is minted, and who holds its token',
      description:
        'A minted id can’t be refunded or released. It is transferred only if its token is in a proven wallet of the recipient, or if the recipient confirms that the token does not come along; the same holds for an id with an expired signature, until false confirms that the signature was not used. Setting a minted id to false needs nftToken:destroy. If the account is not known to be the owner’s, the owner gets an email.',
      params: schema.IdParams,
      body: schema.MintedState,
      response: { 200: ListItem },
    },
    handler: async (request) => {
      const id = readEmojiId(request.params.emoji_id)
      return tokens.setMinted(callerOf(request), id, request.body)
    },
  })
}
