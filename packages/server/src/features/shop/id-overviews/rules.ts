import type { IdState } from './schema.ts'

type Standing = {
  owned: object | undefined
  hold: object | undefined
  reservation: object | undefined
  /** The entry of the reserved list. */
  listed: object | undefined
  price_in_cents: number | null
}

/** The first state that applies. */
export function stateOf({ owned, hold, reservation, listed, price_in_cents }: Standing): IdState {
  if (owned) return 'owned'
  if (reservation || listed) return 'reserved'
  if (hold) return 'held'
  return price_in_cents === null ? 'not_for_sale' : 'available'
}
