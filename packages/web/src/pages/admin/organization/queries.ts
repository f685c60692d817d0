import type { memberRoles } from '@emojid/core'
import { queryOptions } from '@tanstack/react-query'
import { refetchOrganizations } from '../../../api/admin.ts'
import { api, unwrap } from '../../../api/client.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { asProblem } from '../../../api/problem.ts'
import type { AnswerOf, BodyOf } from '../../../api/shapes.ts'

export type Member = AnswerOf<'listMembers'>[number]

export type Invitation = AnswerOf<'listInvitations'>[number]

export type NewBranding = BodyOf<'setBranding'>

export type OrganizationChange = BodyOf<'updateOrganization'>

export type MemberRole = (typeof memberRoles)[number]

export const membersQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'members', id],
    queryFn: () =>
      unwrap(api.GET('/admin/organizations/{id}/members', { params: { path: { id } } })),
  })

export const invitationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'invitations', id],
    queryFn: () =>
      unwrap(api.GET('/admin/organizations/{id}/invitations', { params: { path: { id } } })),
  })

/** The branding of an organization; null if it has none. */
export const ownBrandingQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'organizations', 'branding', id],
    queryFn: () =>
      unwrap(api.GET('/organizations/{id}/branding', { params: { path: { id } } })).catch(
        (error) => {
          if (asProblem(error).status === 404) return null
          throw error
        },
      ),
  })

export async function changeOrganization(id: string, body: OrganizationChange): Promise<void> {
  await unwrap(api.PATCH('/admin/organizations/{id}', { params: { path: { id } }, body }))
  await refetchOrganizations()
}

export async function setBranding(id: string, body: NewBranding): Promise<void> {
  await unwrap(api.PUT('/organizations/{id}/branding', { params: { path: { id } }, body }))
  await refetchOrganizations()
}

type NewInvitation = BodyOf<'inviteMember'>

export async function inviteMember(id: string, body: NewInvitation): Promise<void> {
  const params = { path: { id } }
  await unwrap(api.POST('/admin/organizations/{id}/invitations', { params, body }))
  await refetchOrganizations()
}

export async function withdrawInvitation(
  id: string,
  invitation_id: string,
  reason: string,
): Promise<void> {
  await unwrap(
    api.DELETE('/admin/organizations/{id}/invitations/{invitation_id}', {
      params: { path: { id, invitation_id }, query: omitEmpty({ reason }) },
    }),
  )
  await refetchOrganizations()
}

type MemberChange = { user_id: string; role: MemberRole; reason?: string }

export async function putMember(
  id: string,
  { user_id, role, reason = '' }: MemberChange,
): Promise<void> {
  await unwrap(
    api.PUT('/admin/organizations/{id}/members/{user_id}', {
      params: { path: { id, user_id } },
      body: { ...omitEmpty({ reason }), role },
    }),
  )
  await refetchOrganizations()
}

export async function removeMember(id: string, user_id: string, reason: string): Promise<void> {
  await unwrap(
    api.DELETE('/admin/organizations/{id}/members/{user_id}', {
      params: { path: { id, user_id }, query: omitEmpty({ reason }) },
    }),
  )
  await refetchOrganizations()
}
