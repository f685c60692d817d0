/** An id in the URL goes into the cart; public pages link here with it. */
export const readCart = (search: Record<string, unknown>): { add?: string } =>
  typeof search['add'] === 'string' && search['add'] !== '' ? { add: search['add'] } : {}
