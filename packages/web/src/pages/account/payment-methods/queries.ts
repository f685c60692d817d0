import { api, told } from '../../../api/client.ts'

export const setDefaultCard = (id: string) =>
  told(api.POST('/payment_methods/{id}/default', { params: { path: { id } } }))

export const forgetCard = (id: string) =>
  told(api.DELETE('/payment_methods/{id}', { params: { path: { id } } }))
