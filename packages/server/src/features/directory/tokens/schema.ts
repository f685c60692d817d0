import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import { Nullable, OneOf, OptionalReason, Timestamp } from '../../../platform/http/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'

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

export const SignatureAnswer = Type.Object({
  account: Type.String(),
  expiry: Type.Integer(),
  signature: Type.String({ description: '65 bytes as hex: r, s and v (27 or 28)' }),
  token: Type.String({ description: 'The id in chain format' }),
})

const largest = Number.MAX_SAFE_INTEGER
export const TokenParams = Type.Object({
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

export const IdParams = Type.Object({ emoji_id: EmojiIdText })
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
export const TokenPage = pageOf(Token)
