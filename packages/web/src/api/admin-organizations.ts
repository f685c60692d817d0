import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { operations } from '../generated/api.ts'
import { api, told } from './client.ts'
import { asProblem, Problem } from './problem.ts'
import { queries } from './queries.ts'

export type Organization =
  operations['showOrganization']['responses'][200]['content']['application/json']
export type Member =
  operations['listMembers']['responses'][200]['content']['application/json'][number]
export type NewBranding = operations['setBranding']['requestBody']['content']['application/json']
type NewOrganization =
  operations['createOrganization']['requestBody']['content']['application/json']
export type OrganizationChange = NonNullable<
  operations['updateOrganization']['requestBody']
>['content']['application/json']

export const memberRoles = ['OrgMember', 'OrgController', 'OrgOwner'] as const
export type MemberRole = (typeof memberRoles)[number]

type Question = { page: number; q: string | undefined }

export const organizationPageQuery = ({ page, q }: Question) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'page', page, q],
    queryFn: () =>
      told(
        api.GET('/admin/organizations', {
          params: { query: { page, limit: 50, ...(q ? { q } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'one', id],
    queryFn: () => told(api.GET('/admin/organizations/{id}', { params: { path: { id } } })),
  })

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'members', id],
    queryFn: () => told(api.GET('/admin/organizations/{id}/members', { params: { path: { id } } })),
  })

/** How an organization looks; nothing as long as it has set none. */
export const ownBrandingQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'branding', id],
    queryFn: () =>
      told(api.GET('/organizations/{id}/branding', { params: { path: { id } } })).catch(
        (thrown) => {
          if (asProblem(thrown).status === 404) return null
          throw thrown
        },
      ),
  })

/** Partner pages of this tab look otherwise then, too. */
async function again(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['admin', 'organizations'] }),
    queries.invalidateQueries({ queryKey: ['branding'] }),
  ])
}

export async function createOrganization(body: NewOrganization): Promise<Organization> {
  const made = await told(api.POST('/admin/organizations', { body }))
  await again()
  return made
}

export async function changeOrganization(id: string, body: OrganizationChange): Promise<void> {
  await told(api.PATCH('/admin/organizations/{id}', { params: { path: { id } }, body }))
  await again()
}

export async function setBranding(id: string, body: NewBranding): Promise<void> {
  await told(api.PUT('/organizations/{id}/branding', { params: { path: { id } }, body }))
  await again()
}

type MemberChange = { user_id: string; role: MemberRole; reason?: string }

export async function putMember(id: string, { user_id, ...body }: MemberChange): Promise<void> {
  await told(
    api.PUT('/admin/organizations/{id}/members/{user_id}', {
      params: { path: { id, user_id } },
      body,
    }),
  )
  await again()
}

export async function removeMember(id: string, user_id: string, reason: string): Promise<void> {
  await told(
    api.DELETE('/admin/organizations/{id}/members/{user_id}', {
      params: { path: { id, user_id }, query: { reason } },
    }),
  )
  await again()
}

/** The one account of this e-mail address or id. */
export async function findUser(text: string, unknown: string): Promise<string> {
  const wanted = text.trim().toLowerCase()
  const params = { query: { q: wanted, limit: 200 } }
  const { data } = await told(api.GET('/users', { params }))
  const found = data.find(({ id, email }) => id === wanted || email?.toLowerCase() === wanted)
  if (found) return found.id
  throw new Problem(404, {
    error: unknown,
    code: 'unknown_user',
    fields: { user: [{ code: 'unknown_user', message: unknown }] },
  })
}
