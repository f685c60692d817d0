import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import { listOf, pagingQuery } from '../../../platform/http/api/paging.ts'
import { Nullable, OneOf, OptionalReason, Timestamp } from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import { EmojiIdText, ListItem, readEmojiId } from '../emoji-ids/emoji-ids.ts'
import type { Tokens } from './tokens.ts'

export const SignatureRequest = Type.Object({
  account: Type.String({
    maxLength: 100,
    description: 'The Ethereum account that may mint, with its checksum',
  }),
  expiry: Type.Optional(
    Nullable(Type.Integer({ description: 'Seconds since 1970; default: in 15 minutes' })),
  ),
})
export type SignatureRequest = Static<typeof SignatureRequest>

const SignatureAnswer = Type.Object({
  account: Type.String(),
  expiry: Type.Integer(),
  signature: Type.String({ description: '65 bytes as hex: r, s and v (27 or 28)' }),
  token: Type.String({ description: 'The id in chain format' }),
})

const largest = Number.MAX_SAFE_INTEGER
const TokenParams = Type.Object({
  token_id: Type.Integer({ minimum: -largest, maximum: largest }),
})
export const TokenMetadata = Type.Object({
  name: Type.String(),
  description: Type.String(),
  image: Type.String(),
  animation_url: Type.String(),
  external_link: Type.String(),
  attributes: Type.Array(
    Type.Object({
      trait_type: Type.String(),
      value: Type.Union([Type.String(), Type.Integer()]),
    }),
  ),
})
export type TokenMetadata = Static<typeof TokenMetadata>

const IdParams = Type.Object({ emoji_id: EmojiIdText })
export const MintedState = Type.Object({
  minted: Type.Boolean(),
  account: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The Ethereum account that holds the token now, with its checksum. Send it after the mint and after every transfer on the chain',
    }),
  ),
  reason: OptionalReason,
})
export type MintedState = Static<typeof MintedState>

const states = ['signed', 'ended', 'minted'] as const
export const TokenQuery = Type.Object({
  ...pagingQuery(['token_id', 'signed_until'], { sort: 'token_id', dir: 'Desc' }).properties,
  state: Type.Optional(
    Type.Unsafe<(typeof states)[number]>({
      ...OneOf(states),
      description:
        'signed: a signature is valid; ended: all signatures expired, and neither a mint nor its absence was reported; minted: the id is marked as minted',
    }),
  ),
})
export type TokenQuery = Static<typeof TokenQuery>

const Token = Type.Object({
  emoji_id: Type.String({ description: 'The display format' }),
  canonical_format: Type.String(),
  chain_format: Type.String({ description: 'The token number of the contract' }),
  token_id: Type.Integer(),
  minted: Type.Boolean(),
  token_account: Nullable(
    Type.String({ description: 'The Ethereum account that holds the token, as last reported' }),
  ),
  signed_until: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'The id can’t leave its owner before then',
  }),
  owner_id: Nullable(Type.String({ format: 'uuid' })),
  organization_id: Nullable(Type.String({ format: 'uuid' })),
  owner: Nullable(Type.String({ description: 'The name of the account or organization' })),
  signatures: Type.Array(
    Type.Object({
      account: Type.String({ description: 'The Ethereum account that may mint' }),
      until: Timestamp,
      signed_at: Timestamp,
      signed_by: Type.String({ format: 'uuid' }),
      signed_by_name: Nullable(Type.String()),
    }),
  ),
})

export const tokenRoutes: FastifyPluginAsyncTypebox<{ tokens: Tokens }> = async (app, options) => {
  const { tokens } = options

  app.post('/emoji_id/:emoji_id/generate_signature', {
    config: { access: 'nftSignature:write', sensitive: 'code_or_sign_in', idempotent: true },
    schema: {
      operationId: 'generateSignature',
      tags: ['Own ids'],
      summary: 'Sign a mint permission',
      description:
        'Over keccak256("svcNFT" ‖ token ‖ account ‖ expiry as uint256), as an Ethereum message. The id can’t be transferred or released until the signature expires, nor released or refunded until an hour later, in which a mint is reported. An id paid by card can be signed for only some days later (`paid_by_card`, `possible_at`).',
      params: IdParams,
      body: SignatureRequest,
      response: { 200: SignatureAnswer },
    },
    handler: async (request) =>
      tokens.signMint(callerOf(request), readEmojiId(request.params.emoji_id), request.body),
  })

  app.get('/nft_transfers/metadata/:token_id', {
    config: { access: 'public' },
    schema: {
      operationId: 'tokenMetadata',
      tags: ['Directory'],
      summary: 'Token metadata',
      params: TokenParams,
      response: { 200: TokenMetadata },
    },
    handler: async (request) => tokens.showMetadata(request.params.token_id),
  })

  app.get('/admin/tokens', {
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
      ...listOf(TokenQuery, Token),
    },
    handler: async (request) => tokens.listTokens(request.query),
  })

  app.put('/admin/emoji_ids/:emoji_id/minted', {
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
      params: IdParams,
      body: MintedState,
      response: { 200: ListItem },
    },
    handler: async (request) => {
      const id = readEmojiId(request.params.emoji_id)
      return tokens.setMinted(callerOf(request), id, request.body)
    },
  })
}
