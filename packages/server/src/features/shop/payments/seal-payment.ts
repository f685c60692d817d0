import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { PaymentObject } from '../../../platform/payments/gateway.ts'
import type { Database } from '../../../tables.ts'
import type { Deps } from './payments.ts'
import * as attempts from './repository.ts'

export const sealObject = ({ sealer }: Deps, id: string, object: PaymentObject): string =>
  sealer.seal(JSON.stringify(object), sealContext(id))

/** Rewraps the payment secrets of attempts with the current master key; returns how many. */
export const rewrapPayments = (db: Database, sealer: Sealer): Promise<number> =>
  attempts.rewrap(db, (id, sealedText) => sealer.rewrap(sealedText, sealContext(id)))

/** Binds a sealed text to its row. */
export const sealContext = (id: string): string => `payment attempt ${id}`
