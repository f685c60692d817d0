import type { MemberRole } from '../../src/features/operations/access/access.ts'
import type { Person } from './people.ts'
import type { Answer } from './service.ts'

const assertOk = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
  return answer
}

/** An operator places a person in an organization, who accepts. */
export async function placeMember(
  operator: Pick<Person, 'put'>,
  organization_id: string,
  person: Pick<Person, 'id' | 'post'>,
  role: MemberRole,
) {
  const path = `/api/admin/organizations/${organization_id}/members/${person.id}`
  assertOk(await operator.put(path, { role }))
  assertOk(await person.post(`/api/organizations/${organization_id}/membership/accept`, { role }))
}

type Invitation = { id: string; email: string; role: MemberRole; expires_at: string }

export async function invite(
  inviter: Pick<Person, 'post'>,
  organization_id: string,
  { email }: { email: string },
  role: MemberRole = 'OrgMember',
) {
  const path = `/api/admin/organizations/${organization_id}/invitations`
  return assertOk(await inviter.post(path, { email, role })).json<Invitation>()
}

export const accept = (person: Pick<Person, 'post'>, { id }: Pick<Invitation, 'id'>) =>
  person.post(`/api/account/invitations/${id}/accept`)

/** A person with a confirmed address becomes a member by an invitation. */
export async function inviteMember(
  inviter: Pick<Person, 'post'>,
  organization_id: string,
  person: Pick<Person, 'email' | 'post'>,
  role: MemberRole,
) {
  assertOk(await accept(person, await invite(inviter, organization_id, person, role)))
}
