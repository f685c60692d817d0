import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { PaymentObject } from '../../../platform/payments/gateway.ts'
import type { Database } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as attempts from './repository.ts'

export const sealObject = ({ sealer }: Deps, id: string, object: PaymentObject): string =>
  sealer.seal(JSON.stringify(object), placeOf(id))

/** Wraps what buyers need to pay with the current master key. Answers how many it was. */
export const rewrapPayments = (db: Database, sealer: Sealer): Promise<number> =>
  attempts.rewrap(db, (id, sealed) => sealer.rewrap(sealed, placeOf(id)))

/** Sealed for its own row alone. */
export const placeOf = (id: string): string => `payment attempt ${id}`
