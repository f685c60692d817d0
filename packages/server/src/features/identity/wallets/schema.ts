import { type Static, Type } from 'typebox'
import { OneOf } from '../../../platform/http/schemas.ts'

const Wallet = Type.Object({
  eth_address: Type.String(),
  user_id: Type.String({ format: 'uuid' }),
  proven: Type.Boolean({
    description:
      'Whether eth_address was sent with the signature. An unproven address authorizes nothing',
  }),
})
export const WalletList = Type.Array(Wallet)
export const WalletBody = Type.Object({
  signature: Type.String({ maxLength: 200, description: 'personal_sign over the message' }),
  eth_address: Type.Optional(
    Type.String({ maxLength: 100, description: 'Refused unless the signature is by this address' }),
  ),
  source: OneOf(['Mint', 'Dashboard'] as const),
})
export type WalletBody = Static<typeof WalletBody>
export const WalletParams = Type.Object({ eth_address: Type.String({ maxLength: 100 }) })
export const Connected = Type.Object({ eth_address: Type.String() })
