import type { PaymentState } from '../../../platform/payments/gateway.ts'
import type { Deps } from './deps.ts'
import type { Attempt } from './table.ts'

/**
 * Captures an authorized payment, and returns its new state. A card of a removed person, or of a
 * closed attempt, is released instead: it is never charged.
 */
export async function captureOrRelease(
  { db, gateways, removals }: Deps,
  { reference, status }: Pick<Attempt, 'reference' | 'status'>,
  state: PaymentState,
): Promise<PaymentState> {
  const { authorization, card_fingerprint } = state
  if (!authorization || !gateways.card || reference === null) return state
  const isBarred =
    card_fingerprint !== undefined && (await removals.isCardBarred(db, card_fingerprint))
  const isWanted = status === 'open' && !isBarred
  await (isWanted ? gateways.card.capture(authorization) : gateways.card.release(authorization))
  return gateways.card.look(reference)
}
