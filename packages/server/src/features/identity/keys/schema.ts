import { Type } from 'typebox'
import { OneOf, Timestamp } from '../../../platform/http/schemas.ts'

const Hex32 = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })
export const PubkeyText = Hex32
export const PubkeyList = Type.Array(Hex32)
export const OwnKeyList = Type.Array(
  Type.Object({
    pubkey: Hex32,
    /** `kept_here`: the service keeps the private key. `proven`: the owner signed with it. */
    state: OneOf(['kept_here', 'proven', 'unproven']),
    created_at: Timestamp,
  }),
)
export const PubkeyParams = Type.Object({ pubkey: Hex32 })
export const UserParams = Type.Object({ user_id: Type.String({ format: 'uuid' }) })
export const UserPubkeyParams = Type.Object({
  user_id: Type.String({ format: 'uuid' }),
  pubkey: Hex32,
})
export const ProofBody = Type.Object({
  nonce: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'R of the signature' }),
  signature: Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 's of the signature' }),
})
