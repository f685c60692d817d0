import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { queries } from './queries.ts'

export type Application =
  operations['showOauthClient']['responses'][200]['content']['application/json']
export type ApplicationWithSecret =
  operations['createOauthClient']['responses'][200]['content']['application/json']
type NewApplication = operations['createOauthClient']['requestBody']['content']['application/json']
export type ApplicationChange = NonNullable<
  operations['updateOauthClient']['requestBody']
>['content']['application/json']

type Question = { page: number; q: string | undefined; organization: string | undefined }

export const applicationPageQuery = ({ page, q, organization }: Question) =>
  queryOptions({
    queryKey: ['admin', 'applications', 'page', page, q, organization],
    queryFn: () => {
      const filters = {
        ...(q ? { q } : {}),
        ...(organization ? { organization_id: organization } : {}),
      }
      return told(
        api.GET('/admin/oauth_clients', { params: { query: { page, limit: 50, ...filters } } }),
      )
    },
    placeholderData: keepPreviousData,
  })

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'applications', 'one', id],
    queryFn: () => told(api.GET('/admin/oauth_clients/{id}', { params: { path: { id } } })),
  })

const again = () => queries.invalidateQueries({ queryKey: ['admin', 'applications'] })

export async function createApplication(body: NewApplication): Promise<ApplicationWithSecret> {
  const made = await told(api.POST('/admin/oauth_clients', { body }))
  await again()
  return made
}

export async function changeApplication(id: string, body: ApplicationChange): Promise<void> {
  await told(api.PATCH('/admin/oauth_clients/{id}', { params: { path: { id } }, body }))
  await again()
}

export async function deleteApplication(id: string, reason: string): Promise<void> {
  const params = { path: { id }, query: { reason } }
  await told(api.DELETE('/admin/oauth_clients/{id}', { params }))
  // Not this one, which is still shown for a moment.
  await queries.invalidateQueries({ queryKey: ['admin', 'applications', 'page'] })
}

/** The new secret, which nobody sees again. */
export async function addSecret(id: string, reason: string): Promise<string> {
  const params = { path: { id }, query: { reason } }
  const { client_secret } = await told(api.POST('/admin/oauth_clients/{id}/secrets', { params }))
  await again()
  return client_secret
}

export async function endSecret(id: string, secret_id: string, reason: string): Promise<void> {
  const params = { path: { id, secret_id }, query: { reason } }
  await told(api.DELETE('/admin/oauth_clients/{id}/secrets/{secret_id}', { params }))
  await again()
}
