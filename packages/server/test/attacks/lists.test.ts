import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newEmail, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let admin: Person
let total: number
beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
  const at = new Date()
  const somebody = () => ({ email: newEmail(), created_at: at, updated_at: at })
  const unset = {
    ...{ email_verified_at: null, claimed_at: null, alternate_id: null, source: null },
    ...{ first_name: null, last_name: null, password_hash: null, activation_source: null },
    ...{ partner_transaction_id: null, two_factor_last_prompted_at: null },
    ...{ deactivated_at: null, deleted_at: null },
  }
  // All made at one moment: only a second order keeps the pages apart.
  const many = Array.from({ length: 230 }, () => ({ ...unset, ...somebody() }))
  await service.db.insertInto('users').values(many).execute()
  total = (await service.db.selectFrom('users').select('id').execute()).length
})
afterAll(() => service.close())

type Page = { data: { id: string; email: string }[]; paging: Record<string, unknown> }
const list = async (query: string, path = '/api/users') => {
  const answer = await admin.get(`${path}?${query}`)
  expect(answer.status).toBe(200)
  return answer.json<Page>()
}

describe('GET /users', () => {
  it('has 50 on a page unless asked otherwise, and counts pages from 0', async () => {
    const { data, paging } = await list('')
    const expected = { page: 0, limit: 50, total, sort: 'created_at', dir: 'Desc' }
    expect(data).toHaveLength(50)
    expect(paging).toMatchObject(expected)
    expect(await list('page=0&limit=50')).toEqual({ data, paging })
  })

  it('shows everybody once over its pages, and an empty page after the last', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4].map((page) => list(`limit=60&page=${page}`)))
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    expect(pages.map(({ data }) => data.length)).toEqual([60, 60, 60, total - 180, 0])
    expect(new Set(ids).size).toBe(total)
  })

  it.each([201, 1_000, 1e9])('answers at most 200 when asked for %i', async (limit) => {
    const { data, paging } = await list(`limit=${limit}`)
    expect([data.length, paging['limit']]).toEqual([200, 200])
  })

  it('goes on where a capped page ended', async () => {
    const pages = [await list('limit=500'), await list('limit=500&page=1')]
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(total)
  })

  it('is sorted as asked', async () => {
    const emails = async (dir: string) =>
      (await list(`sort=email&dir=${dir}&limit=200`)).data.map(({ email }) => email)
    const [up, down] = [await emails('Asc'), await emails('Desc')]
    expect(up).toEqual([...up].sort())
    expect(down).toEqual([...down].sort().reverse())
  })
})

describe.each([
  '/api/users',
  '/api/admin/organizations',
  '/api/admin/audit',
  '/api/user_interests',
  '/api/codes',
  '/api/orders',
  '/api/lootboxes',
])('a bad question to %s (T109)', (path) => {
  it.each([
    ...['limit=-1', 'limit=0', 'limit=NaN', 'limit=1.5', 'limit=', 'limit=ten', 'limit=1&limit=2'],
    ...['page=-1', 'page=1e18', 'page=99999999999999999999', 'page=0.5', 'page=x'],
    ...[
      'sort=id;drop',
      'sort=password_hash',
      'sort=',
      "sort=' OR 1=1--",
      'sort=created_at&sort=id',
    ],
    ...['dir=x', 'dir=asc', 'dir=Asc;drop table users', 'dir='],
  ])('is refused: %s', async (query) => {
    const answer = await admin.get(`${path}?${query.replaceAll(' ', '%20')}`)
    expect([answer.status, answer.json()['code']]).toEqual([400, 'invalid_request'])
  })
})

describe('filters of the audit', () => {
  it.each(["' OR 1=1--", '%', '_', '\\', "'; drop table audit_entries; --", '%00'])(
    'take %s for text',
    async (text) => {
      const asked = text === '%00' ? text : encodeURIComponent(text)
      const answer = await admin.get(`/api/admin/audit?event=${asked}`)
      if (text === '%00') expect(answer.status).toBe(400)
      else expect(answer.json<Page>().data).toEqual([])
    },
  )

  it.each(['actor_id', 'subject_id'])('take nothing but a uuid as %s', async (name) => {
    expect((await admin.get(`/api/admin/audit?${name}=1%20or%201=1`)).status).toBe(400)
    expect((await list(`${name}=${admin.id}`, '/api/admin/audit')).data.length).toBeGreaterThan(0)
  })
})
