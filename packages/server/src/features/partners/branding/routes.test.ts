import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import { enableApp, sendCode } from '../../../../test/support/second-factor.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await testService({ env: { TWO_FACTOR_GRACE_SECONDS: '60' } })
  admin = await registerAs(service, 'Admin')
})
afterAll(() => service.close())

type Branding = Record<string, unknown> & { return_link: string; updated_at: string }
const minute = 60_000
const plain = { currencies: ['BTC'], return_link: 'https://crabs.example.com/back' }
const person = () => newcomer(service)
const createOrganization = async (partner_path: string | null = null) => {
  const body = { name: 'Crab & Co 🦀', partner_path }
  return (await admin.post('/api/admin/organizations', body)).json<{ id: string }>().id
}
let sharedPath: Promise<string> | undefined
/** One organization for all cases that do not depend on an earlier branding. */
const sharedOrganization = () => {
  sharedPath ??= createOrganization()
  return sharedPath
}
const join = async (id: string, role: string) => {
  const member = await person()
  await admin.put(`/api/admin/organizations/${id}/members/${member.id}`, { role })
  return member
}
const path = (id: string) => `/api/organizations/${encodeURIComponent(id)}/branding`
const put = (by: Pick<Person, 'put'>, id: string, body: unknown = plain) => by.put(path(id), body)
const read = async (id: string) => (await service.get(path(id))).json<Branding>()

describe('a branding', () => {
  it('a branding is set by an owner and public by partner path and uuid', async () => {
    const partner_path = `p-${randomUUID()}`
    const id = await createOrganization(partner_path)
    const owner = await join(id, 'OrgOwner')
    const wish = {
      currencies: ['BTC', '0x1004', 'USDC:ETH'],
      requires_email: true,
      return_link: 'https://Crabs.example.com:8443/back?from=svc&x=%F0%9F%A6%80',
      logo: 'https://crabs.example.com/logo.svg',
      logo_small: 'http://localhost:3000/small.png',
      logo_thumbnail: null,
    }
    const set = await put(owner, partner_path, wish)
    expect(set.status).toBe(200)
    expect(set.json()).toEqual({
      ...wish,
      organization_id: id,
      name: 'Crab & Co 🦀',
      client_fee_percent: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    for (const named of [partner_path, id, id.toUpperCase()]) {
      const answer = await service.get(path(named), { headers: { authorization: 'Bearer old' } })
      expect([answer.status, answer.json()]).toEqual([200, set.json()])
      expect(answer.headers.get('cache-control')).toBe('public, no-cache')
    }
  })

  it('a branding is replaced as a whole and keeps its time of creation', async () => {
    const id = await createOrganization()
    const full = { ...plain, requires_email: true, logo: 'https://crabs.example.com/logo.png' }
    const first = (await put(admin, id, full)).json<Branding>()
    service.clock.advance(minute)
    const second = (await put(admin, id, { ...plain, currencies: [] })).json<Branding>()
    expect(second).toMatchObject({ requires_email: false, logo: null, currencies: [] })
    expect(second['created_at']).toBe(first['created_at'])
    expect(second.updated_at > first.updated_at).toBe(true)
    expect(await read(id)).toEqual(second)
  })

  it('follows a new partner path and name of its organization', async () => {
    const [before, after] = [`p-${randomUUID()}`, `p-${randomUUID()}`]
    const id = await createOrganization(before)
    await put(admin, id)
    await admin.patch(`/api/admin/organizations/${id}`, { partner_path: after, name: 'Renamed' })
    expect(await read(after)).toMatchObject({ organization_id: id, name: 'Renamed' })
    expect((await service.get(path(before))).status).toBe(404)
  })

  it('that is not set looks like an unknown organization', async () => {
    const [remoteAnswer, missing] = [
      await service.get(path(await createOrganization())),
      path(randomUUID()),
    ]
    const unknown = await service.get(missing)
    expect([remoteAnswer.status, unknown.status]).toEqual([404, 404])
    expect({ ...remoteAnswer.json(), request_id: '' }).toEqual({
      ...unknown.json(),
      request_id: '',
    })
  })

  it('a branding is found by uuid before a partner path that equals the uuid', async () => {
    const id = await createOrganization()
    await put(admin, id)
    const copy = await createOrganization(id)
    await put(admin, copy, { ...plain, return_link: 'https://evil.example.com/' })
    expect((await read(id)).return_link).toBe(plain.return_link)
  })

  it('set by concurrent requests is one of theirs', async () => {
    const id = await createOrganization()
    const links = [1, 2, 3, 4, 5, 6].map((n) => `https://crabs.example.com/${n}`)
    const answers = await Promise.all(
      links.map((return_link) => put(admin, id, { ...plain, return_link })),
    )
    expect(answers.map(({ status }) => status)).toEqual(links.map(() => 200))
    expect(links).toContain((await read(id)).return_link)
  })
})

describe('the access to a branding (T60)', () => {
  it.each<[string, (id: string) => Promise<Person>, number]>([
    ['an outsider', person, 404],
    ['an owner of another', async () => join(await createOrganization(), 'OrgOwner'), 404],
    ['OrgMember', (id) => join(id, 'OrgMember'), 403],
    ['OrgController', (id) => join(id, 'OrgController'), 403],
    ['Bot', () => registerAs(service, 'Bot'), 404],
    ['OrgOwner', (id) => join(id, 'OrgOwner'), 200],
    ['Admin', async () => admin, 200],
  ])('%s → %i %i', async (_caller, make, status) => {
    const id = await createOrganization()
    const before = (await put(admin, id)).json()
    const return_link = 'https://evil.example.com/'
    const answer = await put(await make(id), id, { ...plain, return_link })
    expect(answer.status).toBe(status)
    if (status === 200) expect((await read(id)).return_link).toBe(return_link)
    else expect(await read(id)).toEqual(before)
  })

  it('hides foreign organizations from strangers', async () => {
    const [stranger, id] = [await person(), await createOrganization()]
    const answers = [await put(stranger, id), await put(stranger, randomUUID())]
    const [theirs, none] = answers.map((answer) => ({ ...answer.json(), request_id: '' }))
    expect(theirs).toEqual(none)
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })

  it('the access to a branding (T60) is refused to an API key without the scope', async () => {
    const id = await createOrganization()
    const owner = await join(id, 'OrgOwner')
    const key = (await owner.post('/api/api_keys', { name: 'k', scopes: ['edition:read'] })).json<{
      api_key: string
    }>()
    const headers = { 'x-api-key': key.api_key }
    expect((await service.put(path(id), plain, { headers })).status).toBe(403)
    expect((await service.put(path(id), plain)).status).toBe(401)
  })

  it('requires a fresh second factor and writes an audit entry', async () => {
    const id = await createOrganization()
    const owner = await join(id, 'OrgOwner')
    const { app } = await enableApp(service, owner)
    expect((await put(owner, id)).status).toBe(200)
    service.clock.advance(2 * minute)
    const change = { ...plain, return_link: 'wallet://back' }
    expect((await put(owner, id, change)).status).toBe(424)
    expect((await read(id)).return_link).toBe(plain.return_link)

    const codeTokens = (await sendCode(service, owner.tokens, app.next())).json<Person['tokens']>()
    const fresh = { headers: { authorization: `Bearer ${codeTokens.access_token}` } }
    expect((await service.put(path(id), change, fresh)).status).toBe(200)
    const audit = await admin.get(`/api/admin/audit?event=branding.changed&actor_id=${owner.id}`)
    expect(audit.json<{ data: { details: unknown }[] }>().data[0]?.details).toEqual({
      organization_id: id,
      return_link: 'wallet://back',
      return_link_before: plain.return_link,
      by_session: expect.any(String),
    })
  })
})

describe('the currencies of a branding', () => {
  it.each(['NOPE', 'bitcoin', '0x4001', 'USDC:NOPE'])('reject the unknown %s', async (odd) => {
    const id = await createOrganization()
    const answer = await put(admin, id, { ...plain, currencies: ['BTC', odd] })
    const { status, body } = answer
    expect([status, answer.json()['fields']]).toMatchObject([
      422,
      { currencies: [{ code: 'unknown_currency' }] },
    ])
    expect(body).toContain(`We don’t know the currency “${odd}”`)
    expect((await service.get(path(id))).status).toBe(404)
  })

  it('keep unknown ones from an earlier branding', async () => {
    const id = await createOrganization()
    await put(admin, id)
    await service.db
      .updateTable('brandings')
      .set({ currencies: ['OLD'] })
      .where('organization_id', '=', id)
      .execute()
    const wish = { ...plain, currencies: ['BTC', 'OLD'] }
    expect((await put(admin, id, wish)).json()).toMatchObject(wish)
    expect((await put(admin, id, { ...plain, currencies: ['NEW'] })).status).toBe(422)
  })
})

describe('a return link', () => {
  const status = async (return_link: unknown) =>
    put(admin, await sharedOrganization(), { ...plain, return_link })

  it.each([
    'https://a.example.com',
    'https://a.example.com/',
    'HTTPS://A.example.com/%2e%2e/x?y=z',
    'https://xn--zckzah.example.com/',
    'https://a.example.com:8443/x;y=1?eid=&a=b+c',
    'http://localhost:3000/dev/return',
    'http://127.0.0.1:8080/',
    'http://[::1]:9/x',
    'wallet://back',
    'com.example.wallet://oauth/back?x=1',
    'my-wallet+dev://x',
    'wallet:///x',
  ])('a return link is stored unchanged: %s', async (link) => {
    const answer = await status(link)
    expect([answer.status, answer.json()['return_link']]).toEqual([200, link])
  })

  it.each([
    '',
    ' ',
    'x',
    '/back',
    '//a.example.com/',
    'a.example.com',
    'https:',
    'https://',
    'https:///',
    'https:a.example.com',
    'https:/a.example.com',
    'https://?x',
    'https://#x',
    'wallet://',
    'http://a.example.com/',
    'http://localhost.evil.example.com/',
    'http://10.0.0.1/',
    'http://127.0.0.1.evil.example.com/',
    'http://localhost@evil.example.com/',
    'http://127.evil/',
    'https://user@a.example.com/',
    'https://u:p@a.example.com/',
    'https://@a.example.com/',
    'wallet://user@back',
    'https://a.example.com/#x',
    'wallet://back#x',
    'wallet:back',
    'javascript:alert(1)',
    'JavaScript://%0aalert(1)',
    'javascript://a.example.com/%0aalert(1)',
    'data:text/html,x',
    'data://x',
    'file:///etc/passwd',
    'vbscript://x',
    'blob:https://x/y',
    'about://blank',
    'view-source://x',
    'intent://x',
    'ms-settings://x',
    'ftp://a.example.com/',
    'mailto://a@example.com',
    'ws://a.example.com/',
    'chrome://settings',
    'search-ms://x',
    ' https://a.example.com/',
    'https://a.example.com/ ',
    'https://a.example.com/a b',
    'https://a.example.com/\r\nSet-Cookie: a=b',
    'java\tscript://x',
    'https://a.example.com\t/',
    'https://a.example.com\\@evil.example.com/',
    'https:\\\\a.example.com',
    'https://a.example.com/"',
    'https://a.example.com/<script>',
    'https://ä.example.com/',
    'https://a.example.com/🦀',
    'https://a.example.com/\u202Egpj',
    'https://a.example.com/\u200b',
    'https://a..example:99999/',
    'https://[::1',
    'https://%00/',
    'https://exa<mple.com/',
    "' OR 1=1--",
    '%',
    '_',
    '\\',
  ])('a return link is refused: %s', async (link) => {
    const answer = await status(link)
    expect([answer.status, answer.json()]).toMatchObject([
      422,
      { code: 'wrong_link', fields: { return_link: [{ code: 'wrong_link' }] } },
    ])
  })

  it.each([undefined, null, 7, { a: [] }, {}, true, `https://a.example.com/${'x'.repeat(2_048)}`])(
    'a malformed return link is refused: %s',
    async (link) => {
      expect((await status(link)).status).toBe(400)
    },
  )
})

describe('the input of a branding', () => {
  it.each(['logo', 'logo_small', 'logo_thumbnail'])('requires a web link as %s', async (member) => {
    const id = await createOrganization()
    const status = async (link: unknown) =>
      (await put(admin, id, { ...plain, [member]: link })).status
    for (const link of ['https://a.example.com/x.png', 'http://localhost:1/x', undefined, null]) {
      expect([link, await status(link)]).toEqual([link, 200])
    }
    const wrong = [
      '',
      'x.png',
      '/x.png',
      '//a.example.com/x',
      'http://a.example.com/x',
      'wallet://x',
      'javascript:alert(1)',
      'data:image/svg+xml,<svg onload=alert(1)>',
      'https://u:p@a.b/x',
      'https://a.example.com/x"onerror="y',
      'https://a.example.com/\n',
      'https://ä.b/x',
    ]
    for (const link of wrong) expect([link, await status(link)]).toEqual([link, 422])
    const malformed = [7, {}, ['https://a.b/'], `https://a.example.com/${'x'.repeat(2_048)}`]
    for (const link of malformed) expect([link, await status(link)]).toEqual([link, 400])
  })

  it.each(
    [
      undefined,
      null,
      'BTC',
      {},
      [7],
      [null],
      [''],
      ['BTC', 'BTC'],
      ['a b'],
      ['<b>'],
      ["' OR 1=1--"],
      ['BTC\n'],
      ['\u202EBTC'],
      ['🦀'],
      [['BTC']],
      ['-BTC'],
      ['x'.repeat(33)],
      Array.from({ length: 201 }, (_, n) => `C${n}`),
    ].map((currencies) => ({ currencies })),
  )('rejects the currencies $currencies', async ({ currencies }) => {
    expect((await put(admin, await sharedOrganization(), { ...plain, currencies })).status).toBe(
      400,
    )
  })

  it.each(['a\nb', 'a\u0007', 'a\u202Eb', '\u2066a', 'a\u2028b', '\t', '\u0085'])(
    'rejects the organization name %j',
    async (name) => {
      expect((await admin.post('/api/admin/organizations', { name })).status).toBe(400)
    },
  )

  it.each([
    "' OR 1=1--",
    '%',
    '_',
    '\\',
    '..',
    '*',
    'DEMO',
    'x'.repeat(500),
    '🦀',
    '\u202E',
    ' ',
    'demo%20',
    'demo/',
    '00000000-0000-0000-0000-00000000000',
    'null',
    '__proto__',
    '-',
  ])('answers 404 for the partner %s (T109)', async (id) => {
    const answers = [await service.get(path(id)), await put(admin, id)]
    for (const answer of answers) expect(answer.status).toBe(404)
  })

  it.each(['%00', '%ff', '%ed%a0%80', '%'])('answers 400 for a path with %s', async (id) => {
    expect((await service.get(`/api/organizations/${id}/branding`)).status).toBe(400)
  })

  it.each([null, { body: [] }, 'x', 7, {}, { ...plain, requires_email: 'yes' }])(
    'rejects the body %o',
    async (body) => {
      expect((await put(admin, await sharedOrganization(), body)).status).toBe(400)
    },
  )
})
