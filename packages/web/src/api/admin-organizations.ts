import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { Problem } from './problem.ts'
import { queries } from './query-client.ts'
import type { AnswerOf } from './shapes.ts'

export type Organization = AnswerOf<'showOrganization'>
export type ListedOrganization = AnswerOf<'listOrganizations'>['data'][number]

type Membership = Pick<
  AnswerOf<'listMembers'>[number],
  'role' | 'accepted_at' | 'owner_accepted_at'
>

/** Whether the person accepted the membership, and the role of owner. */
export const isAccepted = ({ role, accepted_at, owner_accepted_at }: Membership): boolean =>
  (role === 'OrgOwner' ? owner_accepted_at : accepted_at) !== null

type Question = { page: number; q: string | undefined }

export const organizationPageQuery = ({ page, q }: Question) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'page', page, q],
    queryFn: () =>
      unwrap(
        api.GET('/admin/organizations', {
          params: { query: { page, limit: 50, ...(q ? { q } : {}) } },
        }),
      ),
    placeholderData: keepPreviousData,
  })

export const organizationQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'one', id],
    queryFn: () => unwrap(api.GET('/admin/organizations/{id}', { params: { path: { id } } })),
  })

/** The partner pages and the account in this tab show organizations, too. */
export async function refetchOrganizations(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['admin', 'organizations'] }),
    queries.invalidateQueries({ queryKey: ['branding'] }),
    queries.invalidateQueries({ queryKey: ['own-organizations'] }),
  ])
}

/** Resolves an email address or id to one account id. */
export async function findUser(text: string, unknown: string): Promise<string> {
  const search = text.trim().toLowerCase()
  const params = { query: { q: search, limit: 200 } }
  const { data } = await unwrap(api.GET('/users', { params }))
  const user = data.find(({ id, email }) => id === search || email?.toLowerCase() === search)
  if (user) return user.id
  throw new Problem(404, {
    error: unknown,
    code: 'unknown_user',
    fields: { user: [{ code: 'unknown_user', message: unknown }] },
  })
}
