/** An id in the address is put into the cart: how pages lead here that anybody may see. */
export const readCart = (search: Record<string, unknown>): { add?: string } =>
  typeof search['add'] === 'string' && search['add'] !== '' ? { add: search['add'] } : {}
