import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../../src/features/operations/access/access.ts'
import { at, grant, newId, recordsOf } from '../support/ids.ts'
import { placeMember } from '../support/members.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
})

const createOrganization = async (name = 'Crabs') =>
  (await admin.post('/api/admin/organizations', { name })).json<{ id: string }>().id
const put = (organization: string, { id }: Person, role: string) =>
  admin.put(`/api/admin/organizations/${organization}/members/${id}`, { role })
const member = async (organization: string, role: MemberRole) => {
  const person = await newcomer(service)
  await placeMember(admin, organization, person, role)
  return person
}
const ask = (person: Pick<Person, 'post'>, scopes?: readonly string[]) =>
  person.post('/api/api_keys', { name: 'a key', ...(scopes ? { scopes } : {}) })
const keyOf = async (person: Pick<Person, 'post'>, scopes?: readonly string[]) => {
  const keyResponse = await ask(person, scopes)
  expect(keyResponse.status, keyResponse.body).toBe(200)
  const keyHeaders = { headers: { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key } }
  return {
    get: (path: string) => service.get(path, keyHeaders),
    post: (path: string, body?: unknown) => service.post(path, body, keyHeaders),
    patch: (path: string, body?: unknown) => service.patch(path, body, keyHeaders),
    put: (path: string, body?: unknown) => service.put(path, body, keyHeaders),
    delete: (path: string) => service.delete(path, keyHeaders),
  }
}
type Key = Awaited<ReturnType<typeof keyOf>>
const ofIds = ['organizationEmoji:list', 'organizationEmoji:write']
const bitcoin = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
const listIds = (key: Key, organization: string) =>
  key.get(`/api/emoji_id?organization_id=${organization}`)
const edit = (key: Key, id: string) =>
  key.patch(at(id), { insert: [{ tag: '0x5001', data: randomUUID() }] })
type Outcome = { status: string; error: { code: string } | null }
const take = (key: Pick<Key, 'post'>, rows: object[]) =>
  key.post('/api/admin/emoji_ids/import', { rows })
const outcomes = async (key: Pick<Key, 'post'>, rows: object[]) =>
  (await take(key, rows))
    .json<{ data: Outcome[] }>()
    .data.map(({ status, error }) => error?.code ?? status)

describe('a member’s key', () => {
  it('lists, edits and imports ids of the organization within its scopes', async () => {
    const organization = await createOrganization()
    const id = await grant(admin, { organization_id: organization })
    const controller = await member(organization, 'OrgController')
    const [both, lists, writes, usual] = [
      await keyOf(controller, ofIds),
      await keyOf(controller, ['organizationEmoji:list']),
      await keyOf(controller, ['organizationEmoji:write']),
      await keyOf(controller),
    ]
    expect((await listIds(both, organization)).json()).toEqual([id])
    expect((await both.get(`/api/account/load?organization_id=${organization}`)).status).toBe(200)
    expect((await edit(both, id)).status).toBe(200)
    const record = { tag: '0x5001', data: 'imported' }
    const rows = [{ emoji_id: id, organization_id: organization, records: [record] }]
    expect(await outcomes(both, rows)).toEqual(['changed'])
    expect(await recordsOf(service, id)).toMatchObject([record])
    expect((await both.post(at(id, '/json/SvcPageData'), { data: { by: 'them' } })).status).toBe(
      200,
    )

    const statuses = async (key: Key) => [
      (await listIds(key, organization)).status,
      (await edit(key, id)).status,
      (await take(key, rows)).status,
    ]
    expect(await statuses(lists)).toEqual([200, 403, 403])
    expect(await statuses(writes)).toEqual([403, 200, 200])
    // Without named scopes a key gets the owner's own scopes and none of organizations.
    expect(await statuses(usual)).toEqual([403, 403, 403])
  })

  it('a member’s key cannot be made with scopes that the role in the organization does not give', async () => {
    const organization = await createOrganization()
    const [simple, controller] = [
      await member(organization, 'OrgMember'),
      await member(organization, 'OrgController'),
    ]
    const stranger = await newcomer(service)
    for (const scope of [...ofIds, 'organizationUser:admin']) {
      expect((await ask(simple, [scope])).status).toBe(403)
      expect((await ask(stranger, [scope])).status).toBe(403)
    }
    expect((await ask(controller, ['organization:admin'])).status).toBe(403)
  })

  it('loses its rights with its maker’s role or membership, and regains them with it', async () => {
    const organization = await createOrganization()
    const id = await grant(admin, { organization_id: organization })
    const controller = await member(organization, 'OrgController')
    const key = await keyOf(controller, ofIds)
    const rows = [{ emoji_id: id, records: [bitcoin] }]
    const statuses = async () => {
      const answers = [await listIds(key, organization), await edit(key, id), await take(key, rows)]
      return [...new Set(answers.map(({ status }) => status))]
    }
    expect(await statuses()).toEqual([200])
    await put(organization, controller, 'OrgMember')
    expect(await statuses()).toEqual([403])
    await put(organization, controller, 'OrgController')
    expect(await statuses()).toEqual([200])
    await admin.delete(`/api/admin/organizations/${organization}/members/${controller.id}`)
    expect(await statuses()).toEqual([403])
    expect(await recordsOf(service, id)).toContainEqual(expect.objectContaining(bitcoin))
  })

  it('a member’s key has no rights in another organization and learns nothing about it', async () => {
    const [organization, other] = [await createOrganization(), await createOrganization('Lobsters')]
    const otherId = await grant(admin, { organization_id: other })
    const owner = await member(organization, 'OrgOwner')
    const scopes = [...ofIds, 'organization:read', 'organization:admin', 'organizationUser:admin']
    const key = await keyOf(owner, scopes)
    expect((await listIds(key, other)).status).toBe(403)
    expect((await edit(key, otherId)).json()['code']).toBe('not_yours')
    const path = `/api/admin/organizations/${other}`
    expect([(await key.get(path)).status, (await key.get(`${path}/members`)).status]).toEqual([
      404, 403,
    ])
    expect((await owner.put(`${path}/members/${owner.id}`, { role: 'OrgOwner' })).status).toBe(404)
    const unknown = await key.get(`/api/admin/organizations/${randomUUID()}`)
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'unknown_organization'])
  })

  it('a member’s key cannot add or remove members, with any scope', async () => {
    const organization = await createOrganization()
    const owner = await member(organization, 'OrgOwner')
    const other = await member(organization, 'OrgController')
    const thief = await newcomer(service)
    const key = await keyOf(owner, ['organizationUser:admin', 'organizationUser:read'])
    const path = `/api/admin/organizations/${organization}/members`
    const tries = [
      await key.put(`${path}/${thief.id}`, { role: 'OrgOwner' }),
      await key.delete(`${path}/${other.id}`),
      await (await keyOf(admin)).put(`${path}/${thief.id}`, { role: 'OrgOwner' }),
    ]
    for (const { status } of tries) expect(status).toBe(403)
    expect((await key.get(path)).json()).toHaveLength(2)
  })

  it('a member’s key cannot grant or take over ids by importing, and does not reveal accounts', async () => {
    const [organization, other] = [await createOrganization(), await createOrganization('Lobsters')]
    const [own, otherId] = [
      await grant(admin, { organization_id: organization }),
      await grant(admin, { organization_id: other }),
    ]
    const owner = await member(organization, 'OrgOwner')
    const private_ = await grant(admin, { user_id: owner.id })
    const key = await keyOf(owner, ofIds)
    const records = [bitcoin]
    const rows = [
      { emoji_id: newId(), organization_id: organization },
      { emoji_id: newId(), user_id: owner.id },
      { emoji_id: newId(), records },
      { emoji_id: otherId, organization_id: organization, records },
      { emoji_id: private_, records },
      { emoji_id: own, user_id: owner.id },
      { emoji_id: newId(), email: admin.email },
      { emoji_id: newId(), email: 'unknown@example.com' },
      { emoji_id: own, organization_id: organization },
    ]
    const expected = rows.map(() => 'not_yours')
    expect(await outcomes(key, rows.slice(0, -1))).toEqual(expected.slice(1))
    expect(await outcomes(key, rows.slice(-1))).toEqual(['unchanged'])
    expect(await outcomes(key, [{ emoji_id: otherId, records }])).toEqual(['not_yours'])
    // The member has the same limits.
    expect(await outcomes(owner, rows.slice(0, -1))).toEqual(expected.slice(1))
    expect((await listIds(key, organization)).json()).toEqual([own])
    for (const id of [otherId, private_]) expect(await recordsOf(service, id)).toEqual([])
    expect((await take(await newcomer(service), rows)).status).toBe(403)
  })

  it('a member’s key of a user with a second factor writes records only if it was made with a code', async () => {
    const organization = await createOrganization()
    const id = await grant(admin, { organization_id: organization })
    const owner = await member(organization, 'OrgOwner')
    const before = await keyOf(owner, ofIds)
    await enableApp(service, owner)
    const after = await keyOf(owner, ofIds)
    const rows = [{ emoji_id: id, records: [bitcoin] }]
    expect([(await edit(before, id)).status, (await take(before, rows)).status]).toEqual([403, 403])
    expect([(await edit(after, id)).status, (await take(after, rows)).status]).toEqual([200, 200])
  })
})

describe('a user’s own organization', () => {
  const client = (organization_id: string) => ({
    organization_id,
    name: 'Tide',
    redirect_uris: ['https://tide.example.com/back'],
  })
  const clients = '/api/admin/oauth_clients'

  it('a user’s own organization is visible to its members with its applications; only owners change those', async () => {
    const [organization, other] = [await createOrganization(), await createOrganization('Lobsters')]
    const [simple, owner] = [
      await member(organization, 'OrgMember'),
      await member(organization, 'OrgOwner'),
    ]
    const stranger = await member(other, 'OrgOwner')
    const createResponse = await owner.post(clients, client(organization))
    expect(createResponse.status, createResponse.body).toBe(200)
    const { client_id, secrets } = createResponse.json<{
      client_id: string
      secrets: { id: string }[]
    }>()
    const one = `${clients}/${client_id}`
    const ofOwn = `${clients}?organization_id=${organization}`
    const reader = await keyOf(simple, ['organization:read'])
    for (const by of [simple, reader, owner]) {
      expect((await by.get(`/api/admin/organizations/${organization}`)).json()).toMatchObject({
        id: organization,
        name: 'Crabs',
      })
      const { data } = (await by.get(ofOwn)).json<{ data: { client_id: string }[] }>()
      expect(data.map((application) => application.client_id)).toEqual([client_id])
      expect((await by.get(one)).status).toBe(200)
      expect((await by.get(clients)).status).toBe(403)
    }
    const attempts = async (by: Pick<Person, 'get' | 'post' | 'patch' | 'delete'>) => [
      (await by.post(clients, client(organization))).status,
      (await by.patch(one, { redirect_uris: ['https://evil.example.com/'] })).status,
      (await by.post(`${one}/secrets`)).status,
      (await by.delete(`${one}/secrets/${secrets[0]?.id}`)).status,
      (await by.delete(one)).status,
    ]
    expect(await attempts(simple)).toEqual([403, 403, 403, 403, 403])
    expect(await attempts(reader)).toEqual([403, 403, 403, 403, 403])
    expect(await attempts(stranger)).toEqual([404, 404, 404, 404, 404])
    expect([(await stranger.get(one)).status, (await stranger.get(ofOwn)).status]).toEqual([
      404, 404,
    ])
    const key = await keyOf(owner, ['organization:admin'])
    const uris = { redirect_uris: ['https://tide.example.com/new'] }
    expect((await key.patch(one, uris)).status).toBe(403)
    expect((await owner.patch(one, uris)).json()).toMatchObject(uris)
    // Its members cannot create or list organizations or change a fee: operators do.
    expect((await key.post('/api/admin/organizations', { name: 'Mine' })).status).toBe(403)
    expect((await key.get('/api/admin/organizations')).status).toBe(403)
    const fee = { client_fee_percent: 50 }
    const path = `/api/admin/organizations/${organization}`
    expect([(await owner.patch(path, fee)).status, (await key.patch(path, fee)).status]).toEqual([
      403, 403,
    ])
    await put(organization, owner, 'OrgMember').then(({ status }) => expect(status).toBe(422))
    await placeMember(admin, organization, simple, 'OrgOwner')
    expect((await put(organization, owner, 'OrgMember')).status).toBe(200)
    expect((await key.delete(one)).status).toBe(403)
  })

  it('a user’s own organization has at most twenty self-registered applications, also concurrently', async () => {
    const organization = await createOrganization()
    const owner = await member(organization, 'OrgOwner')
    expect((await owner.post(clients, client(organization))).status).toBe(200)
    // The state after 16 more.
    const { id: _id, ...first } = await service.db
      .selectFrom('oauth_clients')
      .selectAll()
      .where('organization_id', '=', organization)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 16 }, () => ({ ...first, id: randomUUID() }))
    await service.db.insertInto('oauth_clients').values(others).execute()
    const tries = Array.from({ length: 6 }, () => owner.post(clients, client(organization)))
    const answers = (await Promise.all(tries)).map((answer) => answer.json()['code'])
    expect(answers.filter((code) => code === 'too_many_clients')).toHaveLength(3)
    expect((await admin.post(clients, client(organization))).status).toBe(200)
  })
})
