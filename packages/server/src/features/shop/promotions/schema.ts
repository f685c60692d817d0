import { type Static, Type } from 'typebox'
import { Pubkey } from '../../identity/accounts/accounts.ts'
import { FlowPartner, TrackingData } from '../orders/orders.ts'

export const PromoCode = Type.Object({ code: Type.String({ pattern: '\\S', maxLength: 255 }) })

const Hex = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })
export const CodeActivation = Type.Object({
  nonce: Hex,
  pubkey: Pubkey,
  signature: Hex,
  tracking_data: Type.Optional(TrackingData),
  organization_id: Type.Optional(FlowPartner),
})
export type CodeActivation = Static<typeof CodeActivation>
export const CodeParams = Type.Object({ code_id: Type.String({ format: 'uuid' }) })
