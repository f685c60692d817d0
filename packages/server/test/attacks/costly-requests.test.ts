import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest'
import { at, grant, insertOwnedId, newId } from '../support/ids.ts'
import { bearer, newcomer, type Person, registerAs } from '../support/people.ts'
import { withProbes } from '../support/probe.ts'
import { disturb, sendRaw } from '../support/raw.ts'
import { stopRefill } from '../support/refill.ts'
import { type Answer, type TestService, testService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let anna: Person
const { useUp, pass, resume } = stopRefill()
// Fills the limits of all networks again.
beforeEach(() => pass(60))
afterEach(() => useUp(0))
beforeAll(async () => {
  service = await sharedService()
  anna = await newcomer(service)
})
afterAll(resume)

const from = (address: string, person?: Person) => ({
  headers: {
    ...(person ? bearer(person.tokens.access_token).headers : {}),
    'x-forwarded-for': address,
  },
})
/** Until the first is limited. */
async function ask(request: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < 100 && answers.at(-1)?.status !== 429) answers.push(await request())
  return answers
}

/** This many succeed, and the next one gets 429. */
function expectLimit(answers: Answer[], count: number, usual = 200) {
  expect(answers.map(({ status }) => status)).toEqual([...Array(count).fill(usual), 429])
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('searches', () => {
  it('searches have a rate limit per network, separate from lookups and other networks', async () => {
    const paths = ['search?emoji_id=🦀🌊', 'random', 'recent'].map(
      (path) => `/api/emoji_id/${path}`,
    )
    const each = (address: string, person?: Person) =>
      Promise.all(paths.map((path) => service.get(path, from(address, person))))
    const first = await each('198.51.100.1')
    useUp(3)
    // Invalid ids are cheap, and count the same.
    let nth = 4
    const wrong = await ask(() =>
      service.get('/api/emoji_id/search?emoji_id=x', from(`198.51.100.${nth++}`)),
    )
    const refusals = [...(await each('198.51.100.2')), ...(await each('198.51.100.3', anna))]
    const lookup = await service.get('/api/emoji_id/🔥🐍', from('198.51.100.1'))
    const others = await each('192.0.2.1')

    expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
    expectLimit(wrong, 8, 400)
    expect(refusals.map(({ status }) => status)).toEqual(Array(6).fill(429))
    expect(refusals[0]?.json()).toMatchObject({ code: 'rate_limited' })
    expect([lookup, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('share their limit with pages of unregistered ids, which then show no price', async () => {
    const id = encodeURIComponent(newId())
    const open = (address: string) => service.get(`/${id}`, from(address))
    const search = (address: string) =>
      service.get(`/api/emoji_id/search?emoji_id=${id}`, from(address))
    await open('198.51.103.1')
    useUp(3)
    const pages: Answer[] = []
    while (pages.length < 20) pages.push(await open('198.51.103.1'))
    const refusal = await search('198.51.103.2')
    const other = await open('192.0.4.1')

    expect(pages.map(({ status }) => status)).toEqual(Array(20).fill(404))
    const arePriced = pages.map(({ body }) => body.includes('Get it for $'))
    expect(arePriced).toEqual([...Array(9).fill(true), ...Array(11).fill(false)])
    expect(pages.at(-1)?.body).toContain('See whether it’s available')
    expect(pages.at(-1)?.body).not.toContain('isn’t for sale')
    expect(refusal.status).toBe(429)
    expect(other.body).toContain('Get it for $')
  })

  it('document their rate limit', async () => {
    const description = new URL('../../../../docs/openapi.json', import.meta.url)
    const { paths } = JSON.parse(await readFile(description, 'utf8')) as {
      paths: Record<string, { get?: { responses: object } }>
    }
    const described = ['search', 'random', 'recent', 'extended'].map(
      (path) => paths[`/emoji_id/${path}`]?.get?.responses,
    )
    for (const responses of described) expect(responses).toHaveProperty('429')
    expect(paths['/emoji_id/{emoji_id}']?.get?.responses).not.toHaveProperty('429')
  })
})

describe('requests with an Idempotency-Key', () => {
  it('requests with an Idempotency-Key are stored whatever the length of their path', async () => {
    const { headers } = from('198.51.104.1', anna)
    const path = `/api/cart/convert_to_draft?${randomBytes(2_000).toString('hex')}`
    const send = () =>
      service.post(path, {}, { headers: { ...headers, 'idempotency-key': 'long-path' } })
    const first = await send()
    expect(first.status).toBe(422)
    expect((await send()).body).toBe(first.body)
  })

  it('requests with an Idempotency-Key are stored until the network’s limit of bytes', async () => {
    const probed = await testService({
      env: { TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' },
      override: withProbes,
    })
    onTestFinished(() => probed.close())
    // A route without other limits.
    const send = (key: string | undefined, address: string) => {
      const { headers } = from(address)
      if (key === undefined) return probed.post('/api/probe/orders', {}, { headers })
      const options = { headers: { ...headers, 'idempotency-key': key } }
      return probed.post('/api/probe/orders', {}, options)
    }
    const first = await send('first', '198.51.101.1')
    useUp(24_998)
    const answers = await ask(() => send(randomUUID(), '198.51.101.2'))
    const others = [await send(undefined, '198.51.101.1'), await send('first', '192.0.3.1')]

    expect(first.status).toBe(200)
    expectLimit(answers, 9)
    expect(others.map(({ status }) => status)).toEqual([200, 200])
  })
})

describe('expensive requests of a user', () => {
  it('list all ids until the network’s limit of ids', async () => {
    const owner = await newcomer(service)
    await grantIds(owner, 500)
    const list = (path: string, person: Person, address: string) =>
      service.get(path, from(address, person))
    const first = await list('/api/emoji_id', owner, '203.0.113.1')
    useUp(9)
    const answers = await ask(() => list('/api/emoji_id', owner, '203.0.113.1'))
    const later = await Promise.all(
      ['/api/emoji_id', '/api/emoji_id/extended', '/api/account/load'].map((path) =>
        list(path, owner, '203.0.113.2'),
      ),
    )

    expect(first.json<string[]>()).toHaveLength(500)
    expectLimit(answers, 3)
    expect(later.map(({ status }) => status)).toEqual([429, 429, 429])
    expect((await list('/api/emoji_id', anna, '192.0.2.2')).status).toBe(200)
  })

  it('load an account without ids until the same limit', async () => {
    const owner = await newcomer(service)
    const load = () => service.get('/api/account/load', from('198.18.0.1', owner))
    const first = await load()
    useUp(9)
    const answers = await ask(load)

    expect(first.json<{ extended_list: object[] }>().extended_list).toEqual([])
    expectLimit(answers, 49)
  })

  it('search few words, within a limit of words', async () => {
    const search = (words: string[]) =>
      service.get(`/api/account/emoji_ids?q=${words.join('+')}`, from('203.0.114.1', anna))
    const letters = [...'abcdefghijklm']
    const tooMany = await search(letters)
    const repeatedAnswer = await search(Array<string>(90).fill('a'))
    useUp(8)
    const answers = await ask(() => search(letters.slice(1)))

    expect([tooMany.status, tooMany.json()['code']]).toEqual([400, 'invalid_request'])
    expect(repeatedAnswer.status).toBe(200)
    expectLimit(answers, 5)
  })

  it('write store entries within a limit of bytes, for any owner', async () => {
    const body = { data: { text: 'x'.repeat(900_000) } }
    const store = (person: Person, address: string, payload: object = body) =>
      service.post('/api/emoji_id/🔥🐍/json/SvcPageData', payload, from(address, person))
    const first = await store(anna, '203.0.117.1')
    useUp(17)
    const answers = await ask(() => store(anna, '203.0.117.1'))

    expect(first.status).toBe(413)
    expectLimit(answers, 3, 413)
    expect((await store(anna, '192.0.2.4', { data: {} })).status).toBe(403)
  })

  it('write store entries within a limit that a declared length does not use up', async () => {
    const address = '203.0.118.1'
    const { authorization } = bearer(anna.tokens.access_token).headers
    const lines = [
      `POST ${at('🔥🐍', '/json/SvcPageData')} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      'Content-Type: application/json',
      'Content-Length: 999999999999999',
      `X-Forwarded-For: ${address}`,
      `Authorization: ${authorization}`,
    ]
    const declare = () => sendRaw(service.port, `${lines.join('\r\n')}\r\n\r\n{`)
    expect((await declare()).status).toBe(413)
    useUp(15)
    for (let n = 0; n < 3; n++) expect((await declare()).status).toBe(413)
    const writeAnswer = await service.post(
      '/api/emoji_id/🔥🐍/json/SvcPageData',
      {},
      from(address, anna),
    )
    expect(writeAnswer.status).not.toBe(429)
  })

  it('edit records within a limit of records', async () => {
    const admin = await registerAs(service, 'Admin')
    const id = await grant(admin, { user_id: anna.id })
    const hashes = Array.from({ length: 500 }, (_, n) => String(n).padStart(64, '0'))
    const edit = (body: object, address: string) => service.patch(at(id), body, from(address, anna))
    const first = await edit({ delete: hashes }, '203.0.115.1')
    useUp(17)
    const answers = await ask(() => edit({ delete: hashes }, '203.0.115.1'))
    const small = { insert: [{ tag: '0x5001', data: newId() }] }

    expect(first.status).not.toBe(429)
    expectLimit(answers, 4, first.status)
    expect((await edit(small, '192.0.2.3')).status).toBe(200)
  })

  it('edit an id with many long records less often than one with few', async () => {
    const full = await insertOwnedId(service, anna.id)
    const empty = await insertOwnedId(service, anna.id)
    let nth = 0
    const rename = (id: string, address: string) => {
      const insert = [{ tag: '0x0005', data: `Anna ${nth++}` }]
      return service.patch(at(id), { insert }, from(address, anna))
    }
    const insert = Array.from({ length: 62 }, newId).map((text) => ({
      tag: '0x4002',
      data: `${text}${'x'.repeat(900)}`,
    }))
    const filling = await service.patch(at(full), { insert }, from('192.0.2.7', anna))
    const first = [await rename(full, '203.0.122.1'), await rename(empty, '203.0.123.1')]
    useUp(19)
    const rare = await ask(() => rename(full, '203.0.122.1'))
    const frequent = []
    while (frequent.length < rare.length) frequent.push(await rename(empty, '203.0.123.1'))
    const linked = { data: {}, linked_tags: [{ tag: '0x5001', data: newId() }] }
    const store = await service.post(
      at(full, '/json/SvcPageData'),
      linked,
      from('203.0.122.1', anna),
    )

    expect([filling, ...first].map(({ status }) => status)).toEqual([200, 200, 200])
    expectLimit(rare, 3)
    expect(frequent.map(({ status }) => status)).toEqual(Array(4).fill(200))
    expect(store.status).toBe(429)
    expect((await rename(full, '192.0.2.7')).status).toBe(200)
  })

  it('list the changes of an id within a limit of bytes, per account and network', async () => {
    const [owner, admin] = [await newcomer(service), await registerAs(service, 'Admin')]
    const id = await insertOwnedId(service, owner.id)
    await insertStates(id, 45)
    const list = (person: Person, address: string, query = 'limit=200') =>
      service.get(at(id, `/changes?${query}`), from(address, person))
    type Page = { data: { added: { data: string }[] }[]; paging: { total: number } }
    const { data, paging } = (await list(owner, '203.0.124.1')).json<Page>()
    useUp(7.5)
    const answers = await ask(() => list(owner, '203.0.124.1'))

    expect([data.length, paging.total]).toEqual([45, 45])
    expect(data.slice(0, -1).flatMap(({ added }) => added.map((record) => record.data))).toEqual(
      Array.from({ length: 44 }, (_, nth) => `state ${45 - nth}`),
    )
    expect(data.at(-1)?.added).toHaveLength(200)
    expectLimit(answers, 1)
    expect((await list(owner, '192.0.2.8')).status).toBe(429)
    expect((await list(admin, '203.0.124.1')).status).toBe(429)
    expect((await list(admin, '192.0.2.8')).status).toBe(200)
  })

  it('list the changes of an id in pages of a limited size', async () => {
    const id = await insertOwnedId(service, anna.id)
    await insertStates(id, 3, 40_000)
    const list = (limit: number) =>
      service.get(at(id, `/changes?limit=${limit}`), from('203.0.125.1', anna))
    const tooLarge = await list(3)

    expect([tooLarge.status, tooLarge.json()['code']]).toEqual([422, 'too_large_page'])
    expect((await list(1)).status).toBe(200)
  })

  it('count for edits that are refused as for others, by the records that they read', async () => {
    const id = await insertLargeId()
    const refused = () =>
      service.patch(at(id), { delete: ['f'.repeat(64)] }, from('203.0.130.1', anna))
    const first = await refused()
    useUp(19.2)
    const answers = await ask(refused)
    expect(first.status).toBe(422)
    expectLimit(answers, 2, 422)
  })
})

describe('reads of a stranger', () => {
  it('reads of a stranger of a large id have a limit of bytes, and those of a small one have none', async () => {
    const id = await insertLargeId()
    const small = await insertOwnedId(service, anna.id)
    const read = (path: string) => () => service.get(path, from('203.0.131.1'))
    let nth = 0
    const views = [
      read(at(id)),
      read(at(id, '/payment')),
      () => service.get(at(id, `/payment?token=T${nth++}&network=ETH`), from('203.0.131.1')),
      read(at(id, '/proof')),
    ]
    for (const view of views) {
      expect((await view()).status).toBe(200)
      useUp(4.94)
      const answers = await ask(view)
      expect(answers.at(-1)?.status).toBe(429)
      expect((await read(at(small))()).status).toBe(200)
      expect((await service.get(at(id), from('192.0.2.31'))).status).toBe(200)
      pass(60)
    }
  })

  it.each([
    ['of histories', '/history', 4.95],
    ['of store entries', '/json?keys=SvcPageData', 9.95],
  ])('%s have a limit, even if they are short', async (_name, path, seconds) => {
    const id = await insertOwnedId(service, anna.id)
    const read = () => service.get(at(id, path), from('203.0.132.1'))
    await read()
    useUp(seconds)
    expectLimit(await ask(read), 4)
  })
})

it('events of payment providers with a wrong signature have a limit of bytes', async () => {
  const forge = () => service.post('/api/webhooks/card', {}, from('203.0.134.1'))
  const { status } = await forge()
  useUp(49.7)
  expectLimit(await ask(forge), 2, status)
  expect((await service.post('/api/webhooks/card', {}, from('192.0.2.34'))).status).toBe(status)
})

describe('showing a cart or an order', () => {
  let buyer: Person
  let order_id: string
  beforeAll(async () => {
    buyer = await newcomer(service, { isVerified: true })
    const items = Array.from({ length: 100 }, () => ({ emoji_id: newId() }))
    const cart = await service.post('/api/cart', { items }, from('192.0.2.6', buyer))
    order_id = cart.json<{ id: string }>().id
  })
  const show = (path: string, address: string) => service.get(`/api/${path}`, from(address, buyer))

  it('showing a cart or an order has a limit of items, which all requests with such a response share', async () => {
    const address = '203.0.120.1'
    const paths = ['cart', `orders/${order_id}`, 'orders']
    const first = await show('cart', address)
    useUp(5.5)
    let nth = 0
    // Without the items, 55 requests would be left.
    const answers = await ask(() => show(paths[nth++ % paths.length] ?? '', address))
    const remove = (rest: string) => service.delete(`/api/cart${rest}`, from(address, buyer))
    const others = await Promise.all([
      show('cart', address),
      show(`orders/${order_id}`, address),
      show('orders', address),
      remove(''),
      remove(`/cart_items/${randomUUID()}`),
      remove(`/promo_code/${randomUUID()}`),
      service.post('/api/cart/convert_to_draft', {}, from(address, buyer)),
    ])

    expect(first.json<{ order_items: object[] }>().order_items).toHaveLength(100)
    expectLimit(answers, 21)
    expect(others.map(({ status }) => status)).toEqual(Array(7).fill(429))
    expect((await show('cart', '192.0.2.7')).status).toBe(200)
  })

  it('a list of orders counts its items before they are read, and loses none', async () => {
    const collector = await newcomer(service)
    const ids = Array.from({ length: 100 }, () => newId())
    const { rows } = await sql<{ id: string }>`
      insert into orders (user_id, status, is_current, is_filled, round, method, paid_at,
        created_at, updated_at)
      select ${collector.id}, 'Paid', false, true, 1, 'Cash', now(), now(), now()
      from generate_series(1, 60) returning id`.execute(service.db)
    await sql`
      insert into order_items (order_id, item_type, emoji_id, display_format, unit_price_in_cents,
        rhythm_score, created_at, updated_at)
      select o.id, 'EmojiId', one, one, 400, 1, now(), now()
      from orders o, unnest(${ids}::text[]) as one where o.user_id = ${collector.id}`.execute(
      service.db,
    )
    type Page = { data: { id: string; order_items: object[] }[] }
    const list = (page: number, address: string) =>
      service.get(`/api/orders?limit=25&page=${page}`, from(address, collector))
    const pages = await Promise.all([0, 1, 2].map((page) => list(page, `203.0.121.${page}`)))
    useUp(6)
    const atOnce = await Promise.all(Array.from({ length: 20 }, () => list(0, '203.0.122.1')))

    const orders = pages.flatMap((page) => page.json<Page>().data)
    expect(new Set(orders.map(({ id }) => id))).toEqual(new Set(rows.map(({ id }) => id)))
    expect(orders.map((order) => order.order_items.length)).toEqual(Array(60).fill(100))
    const refused = atOnce.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(10)
    expect(atOnce.length - refused.length).toBeGreaterThan(0)
  })

  it('showing a cart or an order stays open to a page that asks every two seconds', async () => {
    const address = '203.0.129.1'
    const ask = async () => (await show(`orders/${order_id}`, address)).status
    const statuses = new Set([await ask()])
    // Leaves 21 requests, without the refill.
    for (let asked = 0; asked < 40; asked++) {
      pass(2, 5.5)
      statuses.add(await ask())
    }
    expect([...statuses]).toEqual([200])
  })
})

it('filling and checking out carts has a limit of items', async () => {
  const buyer = await newcomer(service, { isVerified: true })
  const address = '203.0.119.1'
  const post = (path: string, body: object, from_ = address) =>
    service.post(`/api/cart${path}`, body, from(from_, buyer))
  const items = Array.from({ length: 50 }, () => ({ emoji_id: newId() }))
  const first = await post('', { items })
  useUp(5.5)
  // Rejected requests leave a sixth of the limit, which would allow 55 checkouts of no items.
  const rejected = await post('', { items: 'none' })
  const checkouts = await ask(() => post('/checkout', { method: 'Free' }))
  const additionAnswer = await post('', { items })

  expect(first.status).toBe(200)
  expect(rejected.status).toBe(400)
  expectLimit(checkouts, 8, 422)
  expect(additionAnswer.status).toBe(429)
  expect((await post('/promo_code', { code: 'NONE' })).status).toBe(429)
  expect((await post('/checkout', { method: 'Free' }, '192.0.2.5')).status).toBe(422)
})

it('adding an id to a cart counts the ids that the cart has', async () => {
  const buyer = await newcomer(service, { isVerified: true })
  const add = (count: number, address: string) => {
    const items = Array.from({ length: count }, () => ({ emoji_id: newId() }))
    return service.post('/api/cart', { items }, from(address, buyer))
  }
  const filling = await add(50, '192.0.2.9')
  const first = await add(1, '203.0.128.1')
  useUp(5.5)
  // Without the present ids, 55 requests would be left.
  const answers = await ask(() => add(1, '203.0.128.1'))

  expect([filling.status, first.status]).toEqual([200, 200])
  expectLimit(answers, 27)
})

it('malformed cookies are read without an error for each', async () => {
  const cookie = Array.from({ length: 1_000 }, (_, nth) => `a${nth}=%`).join('; ')
  const decode = vi.spyOn(globalThis, 'decodeURIComponent')
  const send = (path: string) => service.post(path, {}, { headers: { cookie } })
  const statuses = []
  for (const path of ['/api/auth/token', '/session/token', '/auth/signed_in']) {
    statuses.push((await send(path)).status)
  }
  const errors = decode.mock.results.filter(({ type }) => type === 'throw')
  decode.mockRestore()

  expect(statuses).toEqual([400, 200, 403])
  expect(errors).toEqual([])
})

it('watching ids has a limit', async () => {
  const watcher = await newcomer(service, { isVerified: true })
  const watch = (address: string) =>
    service.post('/api/user_interests', { emoji_id: 'no emoji' }, from(address, watcher))
  const first = await watch('203.0.120.1')
  useUp(9.9)
  const answers = await ask(() => watch('203.0.120.1'))
  const other = await watch('192.0.2.6')

  expect(other.status).not.toBe(429)
  expectLimit([first, ...answers], 3, other.status)
})

it('the API description pages have a rate limit in any spelling of the path', async () => {
  const file = (path: string, address: string) =>
    service.call('HEAD', `/api/docs/${path}`, from(address))
  const openUntilLimited = async (path: string, address: string, seconds: number) => {
    useUp(0)
    expect((await file(path, address)).status).toBe(200)
    useUp(seconds)
    return ask(() => file(path, address))
  }
  expectLimit(await openUntilLimited('%6Ason', '203.0.116.1', 4.5), 2)
  expectLimit(await openUntilLimited('static/logo.svg', '203.0.121.1', 19.8), 2)
})

describe('pages and their files', () => {
  const open = (path: string, address: string) => service.get(path, from(address))

  it('share a limit per network and site, and lookups have none', async () => {
    const address = '203.0.126.1'
    const paths = ['/x🦀', '/nothing-here', '/gift', `/${encodeURIComponent('🔥🐍')}/nothing`]
    const first = await open('/gift', address)
    useUp(19.95)
    let nth = 0
    const answers = await ask(() => open(paths[nth++ % paths.length] ?? '', address))
    const icon = '/art/1f525.svg'
    const others = [await open(icon, address), await open('/sign-in', '203.0.126.2')]
    const lookup = await open('/api/emoji_id/🔥🐍', address)
    const elsewhere = [await open(icon, '192.0.5.1'), await open('/auth/nothing', address)]

    expect(first.status).toBe(200)
    expect(answers.length).toBeGreaterThan(4)
    expect(answers.length).toBeLessThan(10)
    expect(answers.slice(0, 4).map(({ status }) => status)).toEqual([400, 404, 200, 404])
    expect(answers.at(-1)?.status).toBe(429)
    expect(answers.at(-1)?.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(others.map(({ status }) => status)).toEqual([429, 429])
    expect([lookup, ...elsewhere].map(({ status }) => status)).toEqual([200, 200, 404])
  })

  it('count files little, and forms and long addresses more', async () => {
    const visit = async (address: string, request: () => Promise<Answer>) => {
      pass(60)
      await open('/gift', address)
      useUp(19.9)
      return (await ask(request)).length
    }
    const form = { category: 'none' }
    const report = (address: string) =>
      service.post(`/report/${encodeURIComponent('🔥🐍')}`, form, from(address))
    const wrongSession = (address: string) => service.post('/session/token', {}, from(address))
    const counts = [
      await visit('198.18.1.1', () => open('/art/1f525.svg', '198.18.1.1')),
      await visit('198.18.2.1', () => open('/nothing-here', '198.18.2.1')),
      await visit('198.18.3.1', () => open(`/${'x'.repeat(10_000)}`, '198.18.3.1')),
      await visit('198.18.4.1', () => report('198.18.4.1')),
      await visit('198.18.5.1', () => wrongSession('198.18.5.1')),
    ]
    expect(counts).toEqual([100, 9, 6, 6, 7])
  })

  it('count if their client resets the connection before they are read', async () => {
    const address = '198.18.8.1'
    disturb('reset', ({ socket }) => socket.destroy())
    await open('/gift', address)
    useUp(19.9)
    const lines = ['GET /nothing-here HTTP/1.1', 'Host: x', `X-Forwarded-For: ${address}`]
    const request = `${[...lines, 'X-Test: reset'].join('\r\n')}\r\n\r\n`
    const statuses = []
    while (statuses.length < 12) statuses.push((await sendRaw(service.port, request)).status)

    expect(statuses).toEqual(Array(12).fill(Number.NaN))
    expect((await open('/gift', address)).status).toBe(429)
  })

  it('pages and their files are not made for a connection that its client reset before it was accepted', async () => {
    const request = 'GET /nothing-here HTTP/1.1\r\nHost: x\r\nX-Request-Id: after-reset\r\n\r\n'
    const client = `const socket = require('node:net').connect(${service.port}, '127.0.0.1', () =>
      socket.write(${JSON.stringify(request)}, () => socket.resetAndDestroy()))`
    // This process waits, and accepts the connection afterwards.
    expect(spawnSync(process.execPath, ['-e', client]).status).toBe(0)
    for (let nth = 0; nth < 3; nth++) await open('/nothing-here', '198.18.9.1')
    expect(service.logged.filter((line) => line.includes('after-reset'))).toEqual([])
  })

  it('pages and their files are left to a network that used little, whatever its neighbours use', async () => {
    const flood = [1, 2, 3, 4, 5].map((nth) => `198.19.${nth}.1`)
    for (const address of flood) await open('/gift', address)
    useUp(19.9)
    for (const address of flood) await ask(() => open('/nothing-here', address))
    const pay = `/${encodeURIComponent('🔥🐍')}`
    const statuses = [await open('/gift', '198.19.1.1'), await open(pay, '198.19.6.1')]
    expect(statuses.map(({ status }) => status)).toEqual([429, 200])
  })

  it('count received bytes only, whatever length a request declares', async () => {
    const address = '198.18.7.1'
    const lines = [
      'GET /gift HTTP/1.1',
      'Host: localhost',
      'Connection: close',
      'Content-Length: 9999999999',
      `X-Forwarded-For: ${address}`,
    ]
    const declaration = await sendRaw(service.port, `${lines.join('\r\n')}\r\n\r\n`)
    expect(declaration.status).toBe(200)
    expect((await open('/gift', address)).status).toBe(200)
  })

  it('show a refused report with no more than its form takes', async () => {
    const body = new URLSearchParams({
      category: 'x',
      text: '‹\r\n🦀'.repeat(1_000),
      email: 'e'.repeat(999),
    })
    const { headers } = from('198.18.6.1')
    const answer = await service.call('POST', `/report/${encodeURIComponent('🔥🐍')}`, {
      raw: body.toString(),
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.split('‹\n🦀')).toHaveLength(667)
    expect(answer.body).toContain(`value="${'e'.repeat(254)}"`)
  })
})

it('a limit of requests counts all networks of a wide one, which may use as much as four', async () => {
  const guess = (network: number) =>
    service.post('/api/auth/password_reset', { email: 'no address' }, from(`198.19.${network}.1`))
  const answers: Answer[] = []
  for (let nth = 0; nth < 401; nth++) answers.push(await guess(nth % 5))
  const neighbors: number[] = []
  while (neighbors.length < 6) neighbors.push((await guess(77)).status)
  const elsewhere = await service.post('/api/auth/password_reset', {}, from('198.20.0.1'))

  expectLimit(answers, 400, 400)
  // Strangers share a /16: each network has a twentieth of its limit for itself.
  expect(neighbors).toEqual([400, 400, 400, 400, 400, 429])
  expect(elsewhere.status).toBe(400)
})

it('refreshing tokens and codes of second factors have a limit of requests', async () => {
  for (const path of ['token/refresh', '2fa']) {
    const { headers } = await service.post(`/api/auth/${path}`, {}, from('203.0.127.1'))
    expect(headers.get('ratelimit-limit')).toBe('3000')
  }
})

/** An id with records of 64 kB. */
async function insertLargeId(): Promise<string> {
  const emoji_id = await insertOwnedId(service, anna.id)
  const records = Array.from({ length: 190 }, (_, nth) => ({
    tag: '0x5001',
    data: `${nth} ${'x'.repeat(240)}`,
    hash: String(nth).padStart(64, '0'),
  }))
  const set = { emoji_id, records: JSON.stringify(records), linked: '{}', merkle_root: null }
  await service.db.insertInto('record_sets').values(set).execute()
  return emoji_id
}

/** Past states with 200 records, one of which differs. */
async function insertStates(emoji_id: string, count: number, length = 260) {
  const stayingRecords = Array.from({ length: 199 }, (_, nth) => ({
    tag: '0x5001',
    data: `${nth} ${'x'.repeat(length)}`,
    hash: String(nth).padStart(64, '0'),
  }))
  for (let version = 1; version <= count; version++) {
    const newRecord = { tag: '0x5001', data: `state ${version}`, hash: `${version}` }
    const records = JSON.stringify([...stayingRecords, newRecord])
    await service.db
      .insertInto('record_history')
      .values({ emoji_id, version, changed_at: new Date(), records, linked: '{}' })
      .execute()
  }
}

async function grantIds({ id }: Person, count: number) {
  const { pubkey } = await service.db
    .selectFrom('keys')
    .select('pubkey')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, newId).map((emoji_id) => ({
    emoji_id,
    display_format: emoji_id,
    generation: 1,
    pubkey,
  }))
  await service.db.insertInto('emoji_ids').values(rows).execute()
}
