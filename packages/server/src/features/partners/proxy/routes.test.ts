import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowPorts, webServer } from '../../../../test/support/outside.ts'
import { newcomer, type Person } from '../../../../test/support/people.ts'
import { stopRefillInTest } from '../../../../test/support/refill.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { assertRoom } from './rules.ts'

type Site = Awaited<ReturnType<typeof webServer>>
type SiteAnswer = {
  status: number
  headers: Record<string, string>
  body: string | Buffer
  /** The site answers after this. */
  after: Promise<void>
}
type Result = { json: Record<string, unknown>; value: string }

const html = { 'content-type': 'text/html; charset=utf-8' }
let site: Site
let service: TestService
/** The pages of the site, by path. */
const pages = new Map<string, Partial<SiteAnswer>>()
beforeAll(async () => {
  site = await webServer(async ({ url = '' }, response) => {
    const { status = 200, headers = html, body = '', after } = pages.get(url) ?? { status: 404 }
    await after
    response.writeHead(status, headers).end(body)
  })
  service = await testService({ outside: { ...allowPorts(site.port), patienceMs: 60_000 } })
})
afterAll(async () => {
  await service.close()
  await site.close()
})

const person = () => newcomer(service)
const call = (by: Pick<Person, 'post'>, name: string, data?: unknown) =>
  by.post('/api/proxy', { service: name, data })
let requests = 0
const put = (page: Partial<SiteAnswer>) => {
  const path = `/${requests++}`
  pages.set(path, page)
  return path
}
const scrape = async (page: Partial<SiteAnswer>) =>
  call(await person(), 'Scraper', `${site.address}${put(page)}`)

describe('Echo', () => {
  it.each([
    ['hello 🦀', null],
    ['', null],
    [undefined, null],
    [null, null],
    ['{"a":[1,"b",null]}', { a: [1, 'b', null] }],
    ['"text"', 'text'],
    ['7', 7],
    ['[1,', null],
    ['1e400', null],
    ['{"__proto__":{"a":1}}', null],
    ['"\\u0000"', null],
    ['['.repeat(30_000) + ']'.repeat(30_000), null],
  ])('returns the text and its JSON value: %s', async (data, json) => {
    const answer = await call(await person(), 'Echo', data)
    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({ value: data ?? '', json })
  })
})

describe('a proxy call', () => {
  it.each([
    {},
    { service: 'Fetch', data: 'x' },
    { service: 'echo' },
    { service: '' },
    { service: null },
    { service: ['Echo'] },
    { service: '__proto__' },
    { service: "Echo' OR 1=1--" },
    { service: 'Echo', data: 7 },
    { service: 'Echo', data: { url: 'x' } },
    { service: 'Echo', data: 'x'.repeat(65_537) },
    { service: 'Scraper', data: ['https://example.com'] },
  ])(
    'is malformed with an unknown service or data that is not text: %o (T108, T109)',
    async (body) => {
      const answer = await (await person()).post('/api/proxy', body)
      expect(answer.status).toBe(400)
    },
  )

  it('requires a sign-in', async () => {
    const answer = await service.post('/api/proxy', { service: 'Echo', data: 'x' })
    expect(answer.status).toBe(401)
  })

  it('a proxy call is limited to thirty a minute per user', async () => {
    stopRefillInTest()
    const [busy, other] = [await person(), await person()]
    for (let n = 0; n < 30; n++) expect((await call(busy, 'Echo', 'x')).status).toBe(200)
    const refusal = await call(busy, 'Echo', 'x')
    expect([refusal.status, refusal.json()['code']]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await call(other, 'Echo', 'x')).status).toBe(200)
  })

  it('a proxy call is limited to three concurrent pages per user', async () => {
    const [busy, other] = [await person(), await person()]
    const statuses: number[] = []
    const after = expect.poll(() => statuses).toEqual([429, 429])
    const slow = `${site.address}${put({ body: '<title>Slow</title>', after })}`
    const read = async (by: Person) => statuses.push((await call(by, 'Scraper', slow)).status)
    await Promise.all([busy, busy, busy, busy, busy, other].map(read))
    expect(statuses).toEqual([429, 429, 200, 200, 200, 200])
    expect((await call(busy, 'Scraper', slow)).status).toBe(200)
  })
})

describe('the fetches of a wide network', () => {
  const fetches = (ofNetwork: number, ofAll: number) => () =>
    assertRoom({ ofCaller: 0, ofNetwork, ofAll })

  it('the fetches of a wide network are at most ten at once, and two when half of all places are taken', () => {
    expect(fetches(9, 24)).not.toThrow()
    expect(fetches(10, 24)).toThrow()
    expect(fetches(1, 25)).not.toThrow()
    expect(fetches(2, 25)).toThrow()
    expect(fetches(0, 50)).toThrow()
  })
})

describe('Scraper', () => {
  it('returns the summary of a page as JSON and as text', async () => {
    const body = `<!doctype html><html><head><title>Plain</title>
      <meta name="description" content="For engines">
      <meta property="og:title" content=" Fire &amp; Snake&#x1F40D; ">
      <meta property="og:description" content="Pay\n me">
      <meta property="og:image" content="/pictures/fire.png?a=1&amp;b=2"></head></html>`
    const { json, value } = (await scrape({ body })).json<Result>()
    expect(json).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\d+$/),
      title: 'Fire & Snake🐍',
      description: 'Pay me',
      image: `${site.address}/pictures/fire.png?a=1&b=2`,
    })
    expect(JSON.parse(value)).toEqual(json)
  })

  it('returns null for members that the page lacks', async () => {
    const { json } = (await scrape({ body: 'no markup at all' })).json<Result>()
    expect(json).toMatchObject({ title: null, description: null, image: null })
    const some = (await scrape({ body: '<title>Only this' })).json<Result>()
    expect(some.json).toMatchObject({ title: 'Only this', description: null, image: null })
  })

  it('follows three redirects and returns the final address', async () => {
    const end = put({ body: '<title>End</title>' })
    const hop = (location: string, status = 302) => put({ status, headers: { location } })
    const third = hop(`${site.address}${end}`, 308)
    const second = hop(third.slice(1), 307)
    const first = hop(`//127.0.0.1:${site.port}${second}`, 301)
    const fourth = hop(first)
    const by = await person()
    const { json } = (await call(by, 'Scraper', `${site.address}${first}#part`)).json<Result>()
    expect(json).toMatchObject({ title: 'End', url: `${site.address}${end}` })
    expect((await call(by, 'Scraper', `${site.address}${fourth}`)).status).toBe(422)
  })

  it('requests the address without fragment and surrounding spaces', async () => {
    const path = put({ body: '<title>Without query</title>' })
    pages.set(`${path}?q=%F0%9F%A6%80&q=2`, { body: '<title>With query</title>' })
    const address = `  ${site.address}${path}?q=🦀&q=2#/part\n`
    const { json } = (await call(await person(), 'Scraper', address)).json<Result>()
    expect(json).toMatchObject({ title: 'With query' })
  })
})
