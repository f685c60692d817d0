/** The length of each list: an id can have thousands of audit entries. */
export const newest = 50

export const states = ['owned', 'held', 'reserved', 'available', 'not_for_sale'] as const
export type IdState = (typeof states)[number]

type Facts = {
  owned: object | undefined
  hold: object | undefined
  reservation: object | undefined
  /** The entry of the reserved list. */
  listed: object | undefined
  price_in_cents: number | null
}

/** The first state that applies. */
export function stateOf({ owned, hold, reservation, listed, price_in_cents }: Facts): IdState {
  if (owned) return 'owned'
  if (reservation || listed) return 'reserved'
  if (hold) return 'held'
  return price_in_cents === null ? 'not_for_sale' : 'available'
}
