import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../src/features/operations/access/access.ts'
import { placeMember } from './support/members.ts'
import { callsWith, newcomer, type Person, registerAs } from './support/people.ts'
import type { TestService } from './support/service.ts'
import { sharedPair } from './support/shared-service.ts'

let service: TestService
let second: TestService
let admin: Person
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
  admin = await registerAs(service, 'Admin')
})

type Organization = { id: string; name: string; partner_path: string | null }
type KeyedOrganization = Organization & { pubkey: string }
type Member = { user_id: string; email: string; role: MemberRole }
const newPath = () => `p-${randomUUID()}`
const create = (body: object) => admin.post('/api/admin/organizations', body)
const createOrganization = async (partner_path: string | null = null) =>
  (await create({ name: 'Crabs', partner_path })).json<Organization>().id
const person = () => newcomer(service)
const membersPath = (id: string) => `/api/admin/organizations/${id}/members`
const put = (id: string, user_id: string, role: string, by: Pick<Person, 'put'> = admin) =>
  by.put(`${membersPath(id)}/${user_id}`, { role })
const take = (id: string, user_id: string, by: Pick<Person, 'delete'> = admin) =>
  by.delete(`${membersPath(id)}/${user_id}`)
const members = async (id: string) =>
  (await admin.get(membersPath(id))).json<Member[]>().map(({ user_id, role }) => [user_id, role])
const join = async (id: string, role: MemberRole) => {
  const member = await person()
  expect((await put(id, member.id, role)).status).toBe(200)
  return member
}
const joinAccepted = async (id: string, role: MemberRole) => {
  const member = await person()
  await placeMember(admin, id, member, role)
  return member
}
const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const sorted = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('an organization', () => {
  it('an organization is created, listed and changed by administrators', async () => {
    const partner_path = newPath()
    const createResponse = await create({ name: ' Crab & Co ', partner_path })
    expect(createResponse.json()).toMatchObject({ name: 'Crab & Co', partner_path })
    const { id } = createResponse.json<Organization>()
    const list = (await admin.get('/api/admin/organizations?limit=200')).json<{
      data: Organization[]
    }>()
    const { pubkey, ...listed } = createResponse.json<KeyedOrganization>()
    expect(list.data.find((one) => one.id === id)).toEqual(listed)
    const shownAnswer = await admin.get(`/api/admin/organizations/${id}`)
    expect(shownAnswer.json()).toEqual({ ...listed, pubkey })
    expect(pubkey).toMatch(/^[0-9a-f]{64}$/)

    const newPartnerPath = newPath()
    const changeAnswer = await admin.patch(`/api/admin/organizations/${id}`, {
      partner_path: newPartnerPath,
    })
    expect(changeAnswer.json()).toMatchObject({
      id,
      name: 'Crab & Co',
      partner_path: newPartnerPath,
      pubkey,
    })
    expect((await create({ name: 'Heirs', partner_path })).status).toBe(200)
  })

  it.each([
    {},
    { name: '' },
    { name: '   ' },
    { name: 7 },
    { name: 'x'.repeat(101) },
    ...['a', 'Crabs', '-a', 'a b', 'a/b', '../a', 'ä-a', 'x'.repeat(41)].map((partner_path) => ({
      name: 'Crabs',
      partner_path,
    })),
  ])('an organization is rejected with %o', async (body) => {
    expect((await create(body)).status).toBe(400)
  })

  it('an organization is shown by its id, and searched by its name or path', async () => {
    const [name, partner_path] = [`Zebra ${randomUUID()}`, newPath()]
    const createdOrganization = (await create({ name, partner_path })).json<Organization>()
    const path = `/api/admin/organizations`
    const shownOrganization = (
      await admin.get(`${path}/${createdOrganization.id}`)
    ).json<KeyedOrganization>()
    expect(shownOrganization).toEqual(createdOrganization)
    const { pubkey: _, ...listed } = shownOrganization
    expect((await admin.get(`${path}/${randomUUID()}`)).status).toBe(404)
    for (const text of [name.toUpperCase(), partner_path, createdOrganization.id]) {
      const searchResponse = await admin.get(`${path}?q=${encodeURIComponent(text)}`)
      expect(searchResponse.json<{ data: Organization[] }>().data).toEqual([listed])
    }
    expect((await admin.get(`${path}?q=%25`)).json()).toMatchObject({ data: [] })
  })

  it('an organization has the reasons for its changes in the audit log', async () => {
    const [id, member] = [await createOrganization(), await person()]
    await admin.patch(`/api/admin/organizations/${id}`, { name: 'Crab', reason: 'It moved' })
    await admin.put(`${membersPath(id)}/${member.id}`, { role: 'OrgMember', reason: 'New there' })
    await admin.delete(`${membersPath(id)}/${member.id}?reason=Left%20them`)
    const reasons = async (event: string) =>
      (await admin.get(`/api/admin/audit?event=${event}&limit=2`))
        .json<{ data: { details: { reason?: string } }[] }>()
        .data.map(({ details }) => details.reason)
    expect(await reasons('organization.changed')).toContain('It moved')
    expect(await reasons('organization.member_changed')).toEqual(['Left them', 'New there'])
  })

  it('an organization has a unique partner path', async () => {
    const partner_path = newPath()
    const [first, other] = [await createOrganization(partner_path), await createOrganization()]
    const change = (id: string) => admin.patch(`/api/admin/organizations/${id}`, { partner_path })
    for (const answer of [await create({ name: 'Copy', partner_path }), await change(other)]) {
      expect(answer.status).toBe(422)
      expect(answer.json()).toMatchObject({
        code: 'uniqueness',
        fields: { partner_path: [{ code: 'uniqueness' }] },
      })
    }
    expect((await change(first)).status).toBe(200)
  })

  it('an organization is the only one to get a path in a race', async () => {
    const wantedPath = newPath()
    const creations = await times(4, () => create({ name: 'Crabs', partner_path: wantedPath }))
    expect(sorted(creations)).toEqual([200, ...Array(3).fill(422)])

    const ids = await times(4, () => createOrganization())
    const partner_path = newPath()
    const changes = await times(4, (n) =>
      admin.patch(`/api/admin/organizations/${ids[n]}`, { partner_path }),
    )
    expect(sorted(changes)).toEqual([200, ...Array(3).fill(422)])
  })
})

describe('the rights in an organization', () => {
  // access-matrix.test.ts checks the rights per role on every route.
  it('let no member change the partner path, and only power roles load the ids', async () => {
    const id = await createOrganization()
    const statuses: Record<string, number[]> = {}
    for (const role of ['OrgMember', 'OrgController', 'OrgOwner'] as const) {
      const member = await join(id, role)
      const path = `/api/admin/organizations/${id}`
      statuses[role] = [
        (await member.patch(path, { partner_path: newPath() })).status,
        (await member.get(`/api/account/load?organization_id=${id}`)).status,
      ]
    }
    expect(statuses).toEqual({
      OrgMember: [403, 403],
      OrgController: [403, 200],
      OrgOwner: [403, 200],
    })
  })

  it('the rights in an organization do not extend beyond it, for any role', async () => {
    const owner = await join(await createOrganization(), 'OrgOwner')
    const statuses = [
      await owner.get('/api/admin/organizations'),
      await owner.post('/api/admin/organizations', { name: 'Mine' }),
      await owner.get('/api/users'),
      await owner.get('/api/admin/audit'),
    ]
    expect(sorted(statuses)).toEqual([403, 403, 403, 403])
  })

  it('end with the membership, also at the other process', async () => {
    const id = await createOrganization()
    const owner = await join(id, 'OrgOwner')
    await join(id, 'OrgOwner')
    const status = async () => (await callsWith(second, owner.tokens).get(membersPath(id))).status
    expect(await status()).toBe(200)
    await put(id, owner.id, 'OrgMember')
    expect(await status()).toBe(403)
    expect((await take(id, owner.id)).json()).toEqual({})
    expect(await status()).toBe(404)
  })
})

describe('a membership', () => {
  const scopes = {
    OrgMember: ['organization:read'],
    OrgController: [
      'domainEvent:read',
      'organization:read',
      'organizationCode:admin',
      'organizationEmoji:list',
      'organizationEmoji:write',
      'organizationUser:read',
    ],
    OrgOwner: [
      'domainEvent:read',
      'organization:admin',
      'organization:read',
      'organization:write',
      'organizationCode:admin',
      'organizationEmoji:list',
      'organizationEmoji:write',
      'organizationUser:admin',
      'organizationUser:read',
    ],
  }
  type Account = {
    role: string
    global_scopes: string[]
    organization_roles: Record<string, string>
    organization_scopes: Record<string, string[]>
  }
  const accountOf = async ({ get }: Pick<Person, 'get'>) =>
    (await get('/api/account')).json<Account>()

  it.each(Object.entries(scopes))('as %s is visible to the member', async (role, heldScopes) => {
    const id = await createOrganization()
    const member = await join(id, role as MemberRole)
    const account = await accountOf(member)
    const stranger = await accountOf(await person())

    expect(account.role).toBe('User')
    expect(account.organization_roles).toEqual({ [id]: role })
    expect(account.organization_scopes[id]?.toSorted()).toEqual(heldScopes)
    expect(account.global_scopes).toEqual(stranger.global_scopes)
    const own = (await member.get('/api/organizations')).json<Organization[]>()
    expect(own).toMatchObject([{ id, name: 'Crabs', role }])
  })

  it('a membership is unique per organization: a new role replaces the old one', async () => {
    const [firstId, secondId] = [await createOrganization(), await createOrganization()]
    const member = await join(firstId, 'OrgMember')
    await put(secondId, member.id, 'OrgMember')
    await put(firstId, member.id, 'OrgController')

    expect(await members(firstId)).toEqual([[member.id, 'OrgController']])
    expect((await accountOf(member)).organization_roles).toEqual({
      [firstId]: 'OrgController',
      [secondId]: 'OrgMember',
    })
    await take(firstId, member.id)
    expect((await accountOf(member)).organization_roles).toEqual({ [secondId]: 'OrgMember' })
    expect((await take(firstId, member.id)).status).toBe(404)
  })

  it('requires an existing user, an existing organization and an organization role', async () => {
    const [id, { id: user_id }] = [await createOrganization(), await person()]
    expect((await put(id, randomUUID(), 'OrgMember')).status).toBe(404)
    expect((await put(randomUUID(), user_id, 'OrgMember')).status).toBe(404)
    expect((await put(id, user_id, 'Admin')).status).toBe(400)
    expect(await members(id)).toEqual([])
  })
})

describe('the last owner', () => {
  it('the last owner cannot be demoted, removed or deleted before there is another', async () => {
    const id = await createOrganization()
    const owner = await joinAccepted(id, 'OrgOwner')
    const leave = [
      () => put(id, owner.id, 'OrgMember', owner),
      () => take(id, owner.id, owner),
      () => take(id, owner.id),
      () => owner.delete(`/api/users/${owner.id}`),
    ]
    for (const attempt of leave) {
      const answer = await attempt()
      expect([answer.status, answer.json()['code']]).toEqual([422, 'last_owner'])
    }
    expect(await members(id)).toEqual([[owner.id, 'OrgOwner']])

    const heir = await joinAccepted(id, 'OrgOwner')
    expect((await owner.delete(`/api/users/${owner.id}`)).status).toBe(200)
    expect(await members(id)).toEqual([[heir.id, 'OrgOwner']])
  })

  it.each(['leave', 'delete themselves'])('remains when all %s at once', async (how) => {
    const id = await createOrganization()
    const owners = await times(3, () => joinAccepted(id, 'OrgOwner'))
    const answers = await Promise.all(
      owners.map((owner) =>
        how === 'leave' ? take(id, owner.id, owner) : owner.delete(`/api/users/${owner.id}`),
      ),
    )
    expect(sorted(answers)).toEqual([200, 200, 422])
    expect((await members(id)).map(([, role]) => role)).toEqual(['OrgOwner'])
  })

  it('the last owner is not restored by adding a member while the user is being deleted', async () => {
    const id = await createOrganization()
    const [stays, goes] = [await joinAccepted(id, 'OrgOwner'), await joinAccepted(id, 'OrgOwner')]
    const answers = await Promise.all([
      goes.delete(`/api/users/${goes.id}`),
      ...[1, 2, 3].map(() => put(id, goes.id, 'OrgOwner')),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    expect(answers[0]?.status).toBe(200)
    expect(await members(id)).toEqual([[stays.id, 'OrgOwner']])
  })
})
