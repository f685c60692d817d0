import { queryOptions } from '@tanstack/react-query'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type Membership = AnswerOf<'listOwnOrganizations'>[number]
export type Invitation = AnswerOf<'listOwnInvitations'>[number]

export const membershipsQuery = queryOptions({
  queryKey: ['own-organizations'],
  queryFn: () => unwrap(api.GET('/organizations')),
  staleTime: 0,
})

export const invitationsQuery = queryOptions({
  queryKey: ['own-invitations'],
  queryFn: () => unwrap(api.GET('/account/invitations')),
  staleTime: 0,
})

/** Memberships also decide what other account pages show. */
async function refetch(): Promise<void> {
  await Promise.all(
    [['own-organizations'], ['own-invitations'], ['account']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  )
}

export async function acceptInvitation({ id }: Invitation): Promise<void> {
  const params = { path: { invitation_id: id } }
  await unwrap(api.POST('/account/invitations/{invitation_id}/accept', { params }))
  await refetch()
}

export async function declineInvitation({ id }: Invitation): Promise<void> {
  const params = { path: { invitation_id: id } }
  await unwrap(api.DELETE('/account/invitations/{invitation_id}', { params }))
  await refetch()
}

export async function acceptMembership({ id, role }: Membership): Promise<void> {
  const path = '/organizations/{id}/membership/accept'
  // Also after a refusal, which says that the role has changed.
  await unwrap(api.POST(path, { params: { path: { id } }, body: { role } })).finally(refetch)
}

export async function leaveOrganization({ id }: Membership): Promise<void> {
  await unwrap(api.DELETE('/organizations/{id}/membership', { params: { path: { id } } }))
  await refetch()
}
