import { api, unwrap } from '../../../api/client.ts'

export const setDefaultCard = (id: string) =>
  unwrap(api.POST('/payment_methods/{id}/default', { params: { path: { id } } }))

export const removeCard = (id: string) =>
  unwrap(api.DELETE('/payment_methods/{id}', { params: { path: { id } } }))
