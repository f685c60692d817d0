import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectRoutes } from './support/access.ts'
import { at, grant } from './support/ids.ts'
import { typeBody } from './support/lootboxes.ts'
import { type Person, registerAs } from './support/people.ts'
import { stopRefill } from './support/refill.ts'
import { enableApp } from './support/second-factor.ts'
import { type TestService, testService } from './support/service.ts'

const { routes, override } = collectRoutes()
let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService({ override, env: { TWO_FACTOR_GRACE_SECONDS: '100' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service?.close())

const adminPath = (id: string) => `/api/admin/emoji_ids/${encodeURIComponent(id)}`
const linesOf = (body: string) => body.replace('\uFEFF', '').trimEnd().split('\r\n')

/** The history of an id is a text for its owner, with nested records. */
const ownLists = new Set(['/emoji_id/:emoji_id/changes'])
/** The export of the reserved list is JSON in the form of an import. */
const csvPaths: Record<string, string> = { '/admin/reserved_ids': 'csv' }
/** Lists without pages. */
const wholeLists = ['/admin/organizations/:id/members', '/lootbox_type', '/webhook_endpoints']

describe('the CSV export of a list', () => {
  it('exists for every list of the administration and the account, with the access of the list', () => {
    const lists = routes
      .filter(({ method, url, isList }) => method === 'GET' && isList && !ownLists.has(url))
      .map(({ url }) => url)
      .concat(wholeLists)
    expect(lists).toEqual(
      expect.arrayContaining(['/admin/reports', '/admin/suspensions', '/users']),
    )
    for (const url of lists) {
      const list = routes.find(({ route }) => route === `GET ${url}`)
      const exportedRoute = routes.find(
        ({ route }) => route === `GET ${url}/${csvPaths[url] ?? 'export'}`,
      )
      expect(exportedRoute, url).toMatchObject({ access: list?.access, keyScopes: list?.keyScopes })
      expect(exportedRoute?.isSensitive).toBe(true)
    }
  })

  it('the CSV export of a list has the rows of the filters, and no cell that runs as a formula', async () => {
    const user = await registerAs(service, 'User')
    const first_name = '=HYPERLINK("http://evil.example","x")'
    expect((await user.patch('/api/account', { first_name, last_name: '@SUM(A1)' })).status).toBe(
      200,
    )
    const id = await grant(admin, { user_id: user.id })
    const answer = await admin.get(`/api/users/export?q=${user.email}`)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="users.csv"')
    expect(answer.headers.get('x-next-page')).toBeNull()
    const [head, row, ...others] = linesOf(answer.body)
    expect(head).toBe(
      'id,email,alternate_id,first_name,last_name,role,emoji_ids,email_verified_at,deactivated_at,created_at',
    )
    expect(row).toContain(
      `${user.id},${user.email},,"'=HYPERLINK(""http://evil.example"",""x"")",'@SUM(A1),User,${id},`,
    )
    expect(others).toEqual([])
    expect(linesOf((await admin.get('/api/users/export?role=Bot')).body)).toHaveLength(1)
  })

  it('the CSV export of a list has suspended ids and reports, without the addresses of reporters', async () => {
    const id = await grant(admin, { user_id: (await registerAs(service, 'User')).id })
    const text = '=cmd() took my money;=1+1;\n@SUM(A1)'
    const report = { category: 'scam', text, email: 'r@reporter.example' }
    expect((await service.post(at(id, '/reports'), report)).status).toBe(200)
    const reason = { reason: '+Fraud' }
    expect((await admin.post(`${adminPath(id)}/suspend`, reason)).status).toBe(200)
    const suspensions = (await admin.get('/api/admin/suspensions/export')).body
    expect(suspensions).toContain(`${id},${id},`)
    expect(suspensions).toContain(",'+Fraud,false,")
    const reports = (await admin.get('/api/admin/reports/export')).body
    expect(reports).toContain(`${id},scam,"'=cmd() took my money;'=1+1; '@SUM(A1)",1,`)
    expect(reports).not.toContain('reporter.example')
  })

  it('the CSV export of a list has the members of an organization, types of lootboxes and the reserved list', async () => {
    const created = await admin.post('/api/admin/organizations', { name: 'Crabs' })
    const members = `/api/admin/organizations/${created.json<{ id: string }>().id}/members`
    const user = await registerAs(service, 'User')
    expect((await admin.put(`${members}/${user.id}`, { role: 'OrgOwner' })).status).toBe(200)
    const file = await user.get(`${members}/export`)
    expect(linesOf(file.body)).toEqual([
      'user_id,email,role,created_at,accepted_at',
      expect.stringContaining(`${user.id},${user.email},OrgOwner,`),
    ])
    expect((await user.get(`${members}/export?page=1`)).body).toBe('')
    const stranger = await registerAs(service, 'User')
    expect((await stranger.get(`${members}/export`)).status).toBe(
      (await stranger.get(members)).status,
    )

    const body = { ...typeBody(), name: '=Cheap' }
    const type = (await admin.post('/api/lootbox_type', body)).json<{ id: string }>()
    expect((await admin.get('/api/lootbox_type/export')).body).toContain(`${type.id},'=Cheap,`)

    const rows = [{ pattern: '🎲*', reason: '-1 for a friend' }]
    expect((await admin.post('/api/admin/reserved_ids/import', { rows })).status).toBe(200)
    const reserved = await admin.get('/api/admin/reserved_ids/csv?q=friend')
    expect(reserved.headers.get('content-disposition')).toContain('"reserved_ids.csv"')
    expect(linesOf(reserved.body)).toEqual([
      'pattern,reason,reserved_by,reserved_at',
      expect.stringContaining(`🎲*,'-1 for a friend,${admin.id},`),
    ])
  })

  it('the CSV export of a list has the own ids of a user, and finds suspended ones by id, reason and people', async () => {
    const user = await registerAs(service, 'User')
    const id = await grant(admin, { user_id: user.id })
    expect((await user.get('/api/account/emoji_ids/export')).body).toContain(`${id},`)
    const body = { reason: `Fraud against ${user.id}` }
    expect((await admin.post(`${adminPath(id)}/suspend`, body)).status).toBe(200)
    for (const q of [id, body.reason.toUpperCase(), user.email]) {
      const answer = await admin.get(`/api/admin/suspensions?q=${encodeURIComponent(q)}`)
      expect(answer.json(), q).toMatchObject({
        data: [{ owner_email: user.email, suspended_by_email: admin.email }],
        paging: { total: 1 },
      })
    }
    expect((await admin.get('/api/admin/suspensions?q=nothing-like-it')).json()).toMatchObject({
      data: [],
    })
  })

  it('the CSV export of a list is bounded, and its parts join to the whole list', async () => {
    await sql`insert into users (email, created_at, updated_at)
      select 'p' || n || '@parts.example', now(), now() from generate_series(1, 5201) as n`.execute(
      service.db,
    )
    const part = (page: number) => admin.get(`/api/users/export?q=parts.example&page=${page}`)
    const [first, second] = [await part(0), await part(1)]
    expect(first.headers.get('x-next-page')).toBe('1')
    expect(second.headers.get('x-next-page')).toBeNull()
    const rows = linesOf(first.body + second.body).slice(1)
    const emails = new Set(rows.map((row) => row.split(',')[1]))
    expect([rows.length, emails.size]).toEqual([5_201, 5_201])
    expect((await part(2)).body).toBe('')
  })

  it('the CSV export of a list is audited without the texts of the filters', async () => {
    await admin.get('/api/orders/export?q=secret.example&status=Paid')
    const audit = await admin.get('/api/admin/audit?event=list.exported&limit=1')
    const [entry] = audit.json<{ data: { actor_id: string; details: object }[] }>().data
    expect(entry).toMatchObject({
      actor_id: admin.id,
      details: { list: 'listOrders', filters: ['q', 'status'], part: 0, rows: 0 },
    })
    expect(audit.body).not.toContain('secret.example')
  })

  it('refuses strangers, users without the scope, stale second factors and bad filters', async () => {
    const user = await registerAs(service, 'User')
    const careful = await registerAs(service, 'Admin')
    await enableApp(service, careful)
    service.clock.advance(101_000)
    expect((await service.get('/api/users/export')).status).toBe(401)
    expect((await user.get('/api/users/export')).status).toBe(403)
    expect((await careful.get('/api/users/export')).status).toBe(424)
    expect((await careful.get('/api/users')).status).toBe(200)
    expect((await admin.get('/api/users/export?role=King')).status).toBe(400)
    expect((await admin.get('/api/users/export?page=-1')).status).toBe(400)
    // Users get their own orders only, as in the list.
    expect((await user.get(`/api/orders/export?user_id=${admin.id}`)).status).toBe(403)
  })
})

describe('the cost of an export', () => {
  const { useUp, resume } = stopRefill()
  afterAll(resume)

  it('counts each page in the limit of requests with credentials', async () => {
    await sql`insert into users (email, created_at, updated_at)
      select 'p' || n || '@pages.example', now(), now() from generate_series(1, 401) as n`.execute(
      service.db,
    )
    const read = async () => (await admin.get('/api/users/export?q=pages.example')).status
    expect((await admin.get('/api/users?limit=1')).status).toBe(200)
    // Two exports of one page each would be left.
    useUp(33.3)
    expect([await read(), await read()]).toEqual([200, 429])
  })
})
