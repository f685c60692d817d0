import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { PaymentObject } from '../../../platform/payments/gateway.ts'

type Keys = { sealer: Sealer }
type SealedText = { id: string; sealed: string }

export const sealObject = ({ sealer }: Keys, id: string, object: PaymentObject): string =>
  sealer.seal(JSON.stringify(object), sealContext(id))

export const openObject = (
  { sealer }: Keys,
  { id, sealed }: { id: string; sealed: string | null },
): PaymentObject | undefined =>
  sealed === null ? undefined : JSON.parse(sealer.open(sealed, sealContext(id)).toString())

export const rewrapObject = ({ sealer }: Keys, { id, sealed }: SealedText): string =>
  sealer.rewrap(sealed, sealContext(id))

/** Binds a sealed text to its row. */
const sealContext = (id: string): string => `payment attempt ${id}`
