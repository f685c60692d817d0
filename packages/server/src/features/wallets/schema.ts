import { Type } from 'typebox'
import { OneOf } from '../../platform/http/schemas.ts'

const Wallet = Type.Object({
  eth_address: Type.String(),
  user_id: Type.String({ format: 'uuid' }),
})
export const WalletList = Type.Array(Wallet)
export const WalletBody = Type.Object({
  signature: Type.String({ maxLength: 200, description: 'personal_sign over the message' }),
  source: OneOf(['Mint', 'Dashboard'] as const),
})
