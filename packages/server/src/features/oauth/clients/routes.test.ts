import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newOrganization } from '../../../../test/support/applications.ts'
import { bearer, type Person, register, registerAs } from '../../../../test/support/people.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
let organization_id: string
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  organization_id = await newOrganization(admin)
})

type View = {
  client_id: string
  name: string
  logo: string | null
  redirect_uris: string[]
  secrets: { id: string; created_at: string }[]
  updated_at: string
}
type CreatedClient = View & { client_secret: string }
const redirect_uris = ['https://chat.example/back']
const create = (change: object = {}) =>
  admin.post('/api/admin/oauth_clients', {
    organization_id,
    name: 'Crab Chat',
    redirect_uris,
    ...change,
  })
const make = async (change: object = {}) => (await create(change)).json<CreatedClient>()
const at = (id: string, rest = '') => `/api/admin/oauth_clients/${encodeURIComponent(id)}${rest}`

describe('an OAuth client', () => {
  it('an OAuth client is created with a secret that is shown once', async () => {
    const logo = 'https://pictures.example/crab.png'
    const response = await create({ name: '  Crab & Chat 🦀 ', logo })
    expect(response.status).toBe(200)
    const { client_secret, ...view } = response.json<CreatedClient>()
    expect(client_secret).toMatch(/^sec_[\w-]{43}$/)
    expect(view).toEqual({
      client_id: expect.stringMatching(/^app_[0-9a-f]{24}$/),
      organization_id,
      name: 'Crab & Chat 🦀',
      logo,
      redirect_uris,
      organization_name: expect.any(String),
      secrets: [{ id: expect.any(String), created_at: expect.any(String) }],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const label = await admin.get(at(view.client_id))
    expect([label.status, label.json()]).toEqual([200, view])
    expect(label.body).not.toContain('sha256')
  })

  it('accepts partial changes', async () => {
    const { client_id, client_secret: _, ...before } = await make()
    service.clock.advance(1_000)
    const uris = ['http://localhost:4000/back', 'http://127.0.0.1/x?y=z', 'http://[::1]:1/']
    const renamedView = (await admin.patch(at(client_id), { name: 'Crab Talk' })).json<View>()
    const movedView = (await admin.patch(at(client_id), { redirect_uris: uris })).json<View>()
    const view = (await admin.get(at(client_id))).json<View>()
    expect(renamedView).toMatchObject({ name: 'Crab Talk', redirect_uris })
    expect(movedView).toMatchObject({ name: 'Crab Talk', redirect_uris: uris, logo: null })
    expect(view).toEqual(movedView)
    expect(Date.parse(view.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
    const logo = 'https://pictures.example/crab.png'
    expect((await admin.patch(at(client_id), { logo })).json()).toMatchObject({ logo })
    expect((await admin.patch(at(client_id), {})).json()).toMatchObject({ logo })
    expect((await admin.patch(at(client_id), { logo: '' })).json()).toMatchObject({ logo: null })
  })

  it('an OAuth client is unknown after its deletion', async () => {
    const { client_id, secrets } = await make()
    const goneAnswer = await admin.delete(at(client_id))
    expect([goneAnswer.status, goneAnswer.json()]).toEqual([200, {}])
    const answers = [
      await admin.get(at(client_id)),
      await admin.patch(at(client_id), { name: 'Crab' }),
      await admin.delete(at(client_id)),
      await admin.post(at(client_id, '/secrets')),
      await admin.delete(at(client_id, `/secrets/${secrets[0]?.id}`)),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.json()['code']]).toEqual([404, 'unknown_client'])
    }
  })

  it.each(['unknown', '🦀', "' or 1=1--", 'x'.repeat(100)])(
    'is unknown by the id %s',
    async (id) => {
      expect((await admin.get(at(id))).status).toBe(404)
      expect((await admin.patch(at(id), { name: 'Crab' })).status).toBe(404)
      expect((await admin.delete(at(id))).status).toBe(404)
    },
  )
})

describe('the members of an OAuth client', () => {
  const uri = (text: string) => ({ redirect_uris: [text] })
  it.each([
    'http://chat.example/back',
    'https://chat.example/#f',
    'https://chat.example#',
    'https://me@chat.example/',
    'https://me:pw@chat.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    '//chat.example/back',
    '/back',
    'chat.example',
    'ftp://chat.example',
    'https://chat.example/a/../b',
    'https://chat.example/.',
    'https://chat.example/%2e%2e/b',
    'https://',
    'https:///back',
    'https://chat.example\\@evil.example/',
    'https://a b.example',
    'http://localhost.evil.example/',
    'http://127.0.0.1.evil.example/',
    'https://chаt.example',
    'https://chat.example/\r\nA: b',
    'http://0.0.0.0/',
  ])('reject the redirect address %j', async (text) => {
    const { client_id } = await make()
    const answers = [await create(uri(text)), await admin.patch(at(client_id), uri(text))]
    for (const answer of answers) {
      expect([answer.status, answer.json()['code']]).toEqual([422, 'wrong_link'])
      expect(answer.json()['fields']).toHaveProperty('redirect_uris')
    }
    expect((await admin.get(at(client_id))).json()).toMatchObject({ redirect_uris })
  })

  it.each([
    ['no address', { redirect_uris: [] }, 400],
    ['21 addresses', { redirect_uris: Array(21).fill(redirect_uris[0]) }, 400],
    ['a long address', uri(`https://chat.example/${'x'.repeat(1_000)}`), 400],
    ['an address instead of a list', { redirect_uris: redirect_uris[0] }, 400],
    ['an empty name', { name: '' }, 400],
    ['a name of spaces', { name: '   ' }, 400],
    ['a name with a bidi control character', { name: 'Crab \u202e' }, 400],
    ['a long name', { name: 'x'.repeat(1_000) }, 400],
    ['a NUL', { name: 'a\u0000b' }, 400],
    ['a logo without https', { logo: 'http://pictures.example/crab.png' }, 422],
    ['a logo that is a script', { logo: 'javascript:alert(1)' }, 422],
    ['a logo that is a number', { logo: 7 }, 400],
  ])('reject %s', async (_, change, status) => {
    const { client_id } = await make()
    expect((await create(change)).status).toBe(status)
    expect((await admin.patch(at(client_id), change)).status).toBe(status)
  })

  it('reject an unknown organization', async () => {
    expect((await create({ organization_id: randomUUID() })).status).toBe(404)
    expect((await create({ organization_id: 'crabs' })).status).toBe(400)
    expect((await create({ organization_id: undefined })).status).toBe(400)
  })
})

describe('the list of OAuth clients', () => {
  it('pages, sorts, searches and filters by organization', async () => {
    const own = await newOrganization(admin)
    for (const name of ['Bee', 'Ant', 'Cat']) {
      await make({ organization_id: own, name })
      service.clock.advance(10)
    }
    const page = async (query: string) => {
      const answer = await admin.get(`/api/admin/oauth_clients?organization_id=${own}&${query}`)
      expect(answer.status).toBe(200)
      expect(answer.body).not.toMatch(/client_secret|sha256/)
      return answer.json<{ data: View[]; paging: { total: number } }>()
    }
    const names = async (query: string) => (await page(query)).data.map(({ name }) => name)
    expect(await names('')).toEqual(['Cat', 'Ant', 'Bee'])
    expect(await names('sort=name&dir=Asc')).toEqual(['Ant', 'Bee', 'Cat'])
    expect(await names('sort=name&dir=Asc&limit=2')).toEqual(['Ant', 'Bee'])
    expect(await names('sort=name&dir=Asc&limit=2&page=1')).toEqual(['Cat'])
    expect(await names('page=5')).toEqual([])
    expect(await names('q=%20NT%20')).toEqual(['Ant'])
    expect(await names('q=%25')).toEqual([])
    const { data, paging } = await page('limit=1')
    expect(paging).toMatchObject({ total: 3, limit: 1, page: 0 })
    expect(data[0]?.secrets).toHaveLength(1)
    await admin.delete(at(data[0]?.client_id ?? ''))
    expect(await names('')).toEqual(['Ant', 'Bee'])
    const unknown = await admin.get(`/api/admin/oauth_clients?organization_id=${randomUUID()}`)
    expect([unknown.status, unknown.json()['code']]).toEqual([404, 'unknown_organization'])
  })

  it.each(['sort=secret', 'dir=x', 'limit=0', 'page=-1', 'organization_id=x'])(
    'rejects %s',
    async (query) =>
      expect((await admin.get(`/api/admin/oauth_clients?${query}`)).status).toBe(400),
  )
})

describe('client secrets', () => {
  it('client secrets are limited to two, and the last one stays', async () => {
    const { client_id, client_secret, secrets } = await make()
    const first = secrets[0]?.id
    const last = await admin.delete(at(client_id, `/secrets/${first}`))
    expect([last.status, last.json()['code']]).toEqual([422, 'last_secret'])
    const additionAnswer = await admin.post(at(client_id, '/secrets'))
    expect(additionAnswer.status).toBe(200)
    expect(additionAnswer.json<CreatedClient>().client_secret).not.toBe(client_secret)
    expect(additionAnswer.json<CreatedClient>().secrets.map(({ id }) => id)[0]).toBe(first)
    const third = await admin.post(at(client_id, '/secrets'))
    expect([third.status, third.json()['code']]).toEqual([422, 'too_many_secrets'])
    const deletionAnswer = await admin.delete(at(client_id, `/secrets/${first}`))
    expect(deletionAnswer.status).toBe(200)
    expect(deletionAnswer.json<View>().secrets).toEqual([
      additionAnswer.json<CreatedClient>().secrets[1],
    ])
    expect(deletionAnswer.body).not.toContain('client_secret')
  })

  it('client secrets are deleted only through their own client', async () => {
    const [one, other] = [await make(), await make()]
    await admin.post(at(other.client_id, '/secrets'))
    const otherSecret = other.secrets[0]?.id
    for (const id of [otherSecret, randomUUID()]) {
      const answer = await admin.delete(at(one.client_id, `/secrets/${id}`))
      expect([answer.status, answer.json()['code']]).toEqual([404, 'unknown_secret'])
    }
    expect((await admin.delete(at(one.client_id, '/secrets/x'))).status).toBe(400)
    expect((await admin.get(at(other.client_id))).json<View>().secrets).toHaveLength(2)
  })
})

describe('a retry with the same Idempotency-Key (T117)', () => {
  const once = (key: string) => ({
    headers: { 'idempotency-key': key, ...bearer(admin.tokens.access_token).headers },
  })
  it('creates no second client and shows no secret', async () => {
    const own = await newOrganization(admin)
    const body = { organization_id: own, name: 'Crab Chat', redirect_uris }
    const send = (change = {}) =>
      service.post('/api/admin/oauth_clients', { ...body, ...change }, once('make'))
    expect((await send()).status).toBe(200)
    const secondAnswer = await send()
    expect([secondAnswer.status, secondAnswer.json()['code']]).toEqual([422, 'already_done'])
    expect(secondAnswer.body).not.toContain('sec_')
    expect((await send({ name: 'Other' })).status).toBe(422)
    const all = await admin.get(`/api/admin/oauth_clients?organization_id=${own}`)
    expect(all.json<{ data: View[] }>().data).toHaveLength(1)
  })

  it('creates no second secret', async () => {
    const { client_id } = await make()
    const send = () => service.post(at(client_id, '/secrets'), undefined, once('secret'))
    expect((await send()).status).toBe(200)
    const secondAnswer = await send()
    expect([secondAnswer.status, secondAnswer.json()['code']]).toEqual([422, 'already_done'])
    expect((await admin.get(at(client_id))).json<View>().secrets).toHaveLength(2)
  })
})

describe('the access to OAuth clients', () => {
  it('the access to OAuth clients is refused to members without the owner role and to owners of another organization', async () => {
    const [simple, owner] = [
      await register(service, { password: null }),
      await register(service, { password: null }),
    ]
    const otherAnswer = await admin.post('/api/admin/organizations', { name: 'Elsewhere' })
    const members = (id: string) => `/api/admin/organizations/${id}/members`
    await admin.put(`${members(organization_id)}/${simple.id}`, { role: 'OrgController' })
    const { id } = otherAnswer.json<{ id: string }>()
    await admin.put(`${members(id)}/${owner.id}`, { role: 'OrgOwner' })
    const { client_id } = await make()
    const tryAll = async (by: typeof owner) => [
      (await by.get('/api/admin/oauth_clients')).status,
      (await by.patch(at(client_id), { name: 'Mine' })).status,
      (await by.post(at(client_id, '/secrets'))).status,
      (await by.delete(at(client_id))).status,
    ]
    expect(await tryAll(simple)).toEqual([403, 403, 403, 403])
    expect(await tryAll(owner)).toEqual([403, 404, 404, 404])
    expect((await admin.get(at(client_id))).json()).toMatchObject({ name: 'Crab Chat' })
  })
})
