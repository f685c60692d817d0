import { type Static, Type } from 'typebox'
import { Nullable, OptionalReason } from '../../platform/http/schemas.ts'
import { EmojiIdText } from '../emoji-ids/index.ts'

export const SignatureRequest = Type.Object({
  account: Type.String({
    maxLength: 100,
    description: 'Who may mint: an address with its checksum',
  }),
  expiry: Type.Optional(
    Nullable(Type.Integer({ description: 'Seconds since 1970; 15 minutes from now unless given' })),
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
export const MintedState = Type.Object({ minted: Type.Boolean(), reason: OptionalReason })
export type MintedState = Static<typeof MintedState>
