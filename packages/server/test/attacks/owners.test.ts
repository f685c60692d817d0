import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../../src/features/operations/access/access.ts'
import { at, grant, newId, recordsOf } from '../support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let bot: Person
let outsider: Person
let organization: string
let other: string
const members = {} as Record<MemberRole, Person>

const createOrganization = async () =>
  (await admin.post('/api/admin/organizations', { name: 'Crabs' })).json<{ id: string }>().id
const join = async (organization_id: string, role: MemberRole) => {
  const person = await newcomer(service)
  const path = `/api/admin/organizations/${organization_id}/members/${person.id}`
  expect((await admin.put(path, { role })).status).toBe(200)
  return person
}
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  bot = await registerAs(service, 'Bot')
  organization = await createOrganization()
  other = await createOrganization()
  for (const role of ['OrgMember', 'OrgController', 'OrgOwner'] as const) {
    members[role] = await join(organization, role)
  }
  outsider = await join(other, 'OrgOwner')
})

const write = (by: Pick<Person, 'patch'>, id: string, data: string = randomUUID()) =>
  by.patch(at(id), { insert: [{ tag: '0x5001', data }] })
const store = (by: Pick<Person, 'post'>, id: string) =>
  by.post(at(id, '/json/SvcPageData'), { data: { by: 'them' } })
const keyOf = async (person: Person, scopes?: string[]) => {
  const body = { name: 'a key', ...(scopes ? { scopes } : {}) }
  const { api_key } = (await person.post('/api/api_keys', body)).json<{ api_key: string }>()
  const headers = { 'x-api-key': api_key }
  return {
    get: (path: string) => service.get(path, { headers }),
    patch: (path: string, body: unknown) => service.patch(path, body, { headers }),
    post: (path: string, body: unknown) => service.post(path, body, { headers }),
    delete: (path: string) => service.delete(path, { headers }),
  }
}
const expectReleased = async () => {
  const person = await newcomer(service)
  expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)
  return { user_id: person.id }
}
const pubkeyOf = async ({ id }: { id: string }) =>
  (await admin.get(`/api/users/${id}/pubkeys`)).json<string[]>()[0]
const goneKey = async () => {
  const person = await newcomer(service)
  const pubkey = await pubkeyOf(person)
  expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)
  return { pubkey }
}
const deactivated = async () => {
  const person = await newcomer(service)
  const path = `/api/admin/users/${person.id}/deactivate`
  expect((await admin.post(path, { reason: 'stolen' })).status).toBe(200)
  return person
}
const listPaths = ['/api/emoji_id', '/api/emoji_id/extended', '/api/account/load']

describe('another owner’s list (T61)', () => {
  it('another owner’s list (T61) of ids by user_id is for administrators', async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    for (const path of listPaths) {
      const listPath = `${path}?user_id=${anna.id}`
      for (const stranger of [outsider, members.OrgOwner, bot]) {
        const answer = await stranger.get(listPath)
        expect([path, answer.status]).toEqual([path, 403])
        expect(answer.body).not.toContain(id)
      }
      expect((await service.get(listPath)).status).toBe(401)
      const [own, adminList] = [await anna.get(listPath), await admin.get(listPath)]
      expect([own.status, adminList.status]).toEqual([200, 200])
      for (const { body } of [own, adminList]) expect(body).toContain(id)
    }
  })

  it('another owner’s list (T61) of ids by organization_id is for its power roles', async () => {
    const id = await grant(admin, { organization_id: organization })
    for (const path of listPaths) {
      const listPath = `${path}?organization_id=${organization}`
      for (const stranger of [outsider, members.OrgMember]) {
        const answer = await stranger.get(listPath)
        expect([path, answer.status]).toEqual([path, 403])
        expect(answer.body).not.toContain(id)
      }
      for (const insider of [members.OrgController, members.OrgOwner, admin]) {
        const answer = await insider.get(listPath)
        expect([path, answer.status]).toEqual([path, 200])
        expect(answer.body).toContain(id)
      }
      expect((await members.OrgOwner.get(path)).body).not.toContain(id)
      expect((await members.OrgOwner.get(`${path}?organization_id=${other}`)).status).toBe(403)
      const unknown = await members.OrgOwner.get(`${path}?organization_id=${randomUUID()}`)
      expect(unknown.status).toBe(404)
      expect((await admin.get(`${path}?organization_id=x`)).status).toBe(400)
    }
  })

  it('another owner’s list (T61) cannot be reached by naming an organization beside a user', async () => {
    const anna = await newcomer(service)
    const id = await grant(admin, { user_id: anna.id })
    for (const path of listPaths) {
      const listPath = `${path}?organization_id=${organization}&user_id=${anna.id}`
      const answer = await members.OrgOwner.get(listPath)
      expect(answer.body).not.toContain(id)
    }
  })
})

describe('an id of an organization', () => {
  it.each<[MemberRole, number]>([
    ['OrgMember', 403],
    ['OrgController', 200],
    ['OrgOwner', 200],
  ])('an id of an organization gets a write by %s: %i', async (role, status) => {
    const id = await grant(admin, { organization_id: organization })
    const writeAnswer = await write(members[role], id, 'theirs')
    expect(writeAnswer.status).toBe(status)
    if (status === 403) expect(writeAnswer.json()['error']).toContain('organizationEmoji:write')
    expect((await store(members[role], id)).status).toBe(status)
    const expected = status === 200 ? ['theirs'] : []
    expect((await recordsOf(service, id)).map(({ data }) => data)).toEqual(expected)
  })

  it('an id of an organization is closed to outsiders, and cannot be released by its members', async () => {
    const id = await grant(admin, { organization_id: organization })
    expect((await write(outsider, id)).status).toBe(403)
    expect((await store(outsider, id)).status).toBe(403)
    for (const someone of [outsider, ...Object.values(members)]) {
      expect((await someone.delete(at(id))).status).toBe(403)
    }
    expect(await recordsOf(service, id)).toEqual([])
  })

  it('an id of an organization is closed to former members on the next request', async () => {
    const id = await grant(admin, { organization_id: organization })
    const leaver = await join(organization, 'OrgController')
    expect((await write(leaver, id)).status).toBe(200)
    const path = `/api/admin/organizations/${organization}/members/${leaver.id}`
    expect((await admin.delete(path)).status).toBe(200)
    expect((await write(leaver, id)).status).toBe(403)
    expect(await recordsOf(service, id)).toHaveLength(1)
  })
})

describe('an id of a user', () => {
  it('an id of a user can be written and released only by its owner', async () => {
    const id = await grant(admin, { user_id: members.OrgMember.id })
    for (const stranger of [outsider, members.OrgOwner, bot]) {
      expect((await write(stranger, id)).status).toBe(403)
      expect((await store(stranger, id)).status).toBe(403)
      expect((await stranger.delete(at(id))).status).toBe(403)
    }
    for (const [status, body] of [
      [(await service.patch(at(id), { insert: [] })).status, 'edit'],
      [(await service.post(at(id, '/json/SvcPageData'), { data: 1 })).status, 'store'],
      [(await service.delete(at(id))).status, 'release'],
    ]) {
      expect([body, status]).toEqual([body, 401])
    }
    expect(await recordsOf(service, id)).toEqual([])
    expect((await write(admin, id)).status).toBe(200)
  })

  it('an id of a user is granted and taken by administrators alone', async () => {
    const id = await grant(admin, { user_id: members.OrgMember.id })
    const path = at(id).replace('/emoji_id/', '/admin/emoji_ids/')
    for (const stranger of [outsider, members.OrgMember, members.OrgOwner, bot]) {
      const grant = { emoji_id: newId(), user_id: stranger.id }
      expect((await stranger.post('/api/admin/emoji_ids', grant)).status).toBe(403)
      expect((await service.get(at(grant.emoji_id))).status).toBe(404)
      expect((await stranger.delete(path)).status).toBe(403)
    }
    expect((await service.get(at(id))).status).toBe(200)
  })

  it.each([
    ['an unnamed owner', () => ({})],
    ['two at once', () => ({ user_id: outsider.id, organization_id: organization })],
    ['a user who is not there', () => ({ user_id: randomUUID() })],
    ['a user who left', expectReleased],
    ['the key of a user who left', goneKey],
    ['a user who is deactivated', async () => ({ user_id: (await deactivated()).id })],
    [
      'the key of a user who is deactivated',
      async () => ({ pubkey: await pubkeyOf(await deactivated()) }),
    ],
    ['an organization that is not there', () => ({ organization_id: randomUUID() })],
    ['an unknown key', () => ({ pubkey: 'ab'.repeat(32) })],
    ['a key that is none', () => ({ pubkey: 'ab' })],
  ])('an id of a user cannot be granted to %s', async (_, ownerOf) => {
    const emoji_id = newId()
    const answer = await admin.post('/api/admin/emoji_ids', { emoji_id, ...(await ownerOf()) })
    expect([400, 404, 422]).toContain(answer.status)
    expect((await service.get(at(emoji_id))).status).toBe(404)
  })

  it('an id of a user is accessible to an API key only with the scope', async () => {
    const anna = await newcomer(service, { password: goodPassword })
    const id = await grant(admin, { user_id: anna.id })
    const [wide, narrow, empty] = [
      await keyOf(anna),
      await keyOf(anna, ['order:readSelf']),
      await keyOf(anna, []),
    ]
    for (const key of [narrow, empty]) {
      expect((await write(key, id)).status).toBe(403)
      expect((await store(key, id)).status).toBe(403)
      expect((await key.delete(at(id))).status).toBe(403)
    }
    for (const refusal of [
      await write(narrow, id),
      await store(narrow, id),
      await narrow.delete(at(id)),
    ]) {
      expect(refusal.json()).toMatchObject({
        code: 'insufficient_scope',
        error: expect.stringMatching(/^This requires the scope userData:update or /),
      })
    }
    const others = await write(narrow, await grant(admin, { user_id: outsider.id }))
    expect(others.json()).toMatchObject({ code: 'insufficient_scope' })
    expect(await recordsOf(service, id)).toEqual([])
    expect((await write(wide, id)).status).toBe(200)
  })
})
