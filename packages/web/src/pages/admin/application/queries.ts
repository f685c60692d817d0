import { queryOptions } from '@tanstack/react-query'
import { refetchApplications } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import type { BodyOf } from '../../../api/shapes.ts'

export type ApplicationChange = BodyOf<'updateOauthClient'>

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'applications', 'one', id],
    queryFn: () => unwrap(api.GET('/admin/oauth_clients/{id}', { params: { path: { id } } })),
  })

export async function changeApplication(id: string, body: ApplicationChange): Promise<void> {
  await unwrap(api.PATCH('/admin/oauth_clients/{id}', { params: { path: { id } }, body }))
  await refetchApplications()
}

export async function deleteApplication(id: string, reason: string): Promise<void> {
  const params = { path: { id }, query: { reason } }
  await unwrap(api.DELETE('/admin/oauth_clients/{id}', { params }))
  // Not the deleted application, which is still shown for a moment.
  await queries.invalidateQueries({ queryKey: ['admin', 'applications', 'page'] })
}

/** Returns the new secret, which the API never shows again. */
export async function addSecret(id: string, reason: string): Promise<string> {
  const params = { path: { id }, query: { reason } }
  const { client_secret } = await unwrap(api.POST('/admin/oauth_clients/{id}/secrets', { params }))
  await refetchApplications()
  return client_secret
}

export async function endSecret(id: string, secret_id: string, reason: string): Promise<void> {
  const params = { path: { id, secret_id }, query: { reason } }
  await unwrap(api.DELETE('/admin/oauth_clients/{id}/secrets/{secret_id}', { params }))
  await refetchApplications()
}
