import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refillClock } from '../../src/platform/http/allowance.ts'
import { at, grant, newId } from '../support/ids.ts'
import { bearer, newcomer, type Person, registerAs } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import { type Answer, type TestService, testService } from '../support/service.ts'

let service: TestService
let anna: Person
const running = refillClock.now
beforeAll(async () => {
  const stopped = running()
  refillClock.now = () => stopped
  service = await testService({ env: { TRUST_PROXY: '127.0.0.1' } })
  anna = await newcomer(service)
})
afterAll(async () => {
  refillClock.now = running
  await service.close()
})

const from = (address: string, person?: Person) => ({
  headers: {
    ...(person ? bearer(person.tokens.access_token).headers : {}),
    'x-forwarded-for': address,
  },
})
/** A few at a time until the first is limited, since a busy machine rejects a hundred at once. */
async function ask(count: number, request: (n: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let n = 0; n < count; n += 4) {
    const few = Array.from({ length: Math.min(4, count - n) }, (_, nth) => request(n + nth))
    answers.push(...(await Promise.all(few)))
    if (withStatus(answers, 429).length > 0) break
  }
  return answers
}
const withStatus = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status)

/** Some succeed, and all others get 429. */
function expectLimit(answers: Answer[], atLeast: number, usual = 200) {
  const refusals = withStatus(answers, 429)
  expect(withStatus(answers, usual).length).toBeGreaterThanOrEqual(atLeast)
  expect(refusals.length).toBeGreaterThan(0)
  expect(withStatus(answers, usual).length + refusals.length).toBe(answers.length)
  expect(Number(refusals[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
}

describe('searches', () => {
  it('have a rate limit per network, separate from lookups and other networks', async () => {
    const paths = ['search?emoji_id=🦀🌊', 'random', 'recent'].map(
      (path) => `/api/emoji_id/${path}`,
    )
    const each = (address: string, person?: Person) =>
      ask(paths.length, (n) => service.get(paths[n] ?? '', from(address, person)))
    const first = await each('198.51.100.1')
    // Invalid ids are cheap, and count the same.
    const wrong = await ask(110, (n) =>
      service.get('/api/emoji_id/search?emoji_id=x', from(`198.51.100.${n}`)),
    )
    const refusals = [...(await each('198.51.100.2')), ...(await each('198.51.100.3', anna))]
    const lookup = await service.get('/api/emoji_id/🔥🐍', from('198.51.100.1'))
    const others = await each('192.0.2.1')

    expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
    expectLimit(wrong, 90, 400)
    expect(refusals.map(({ status }) => status)).toEqual(Array(6).fill(429))
    expect(refusals[0]?.json()).toMatchObject({ code: 'rate_limited' })
    expect([lookup, ...others].map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })

  it('document their rate limit', async () => {
    const { paths } = (await service.get('/api/openapi.json')).json<{
      paths: Record<string, { get?: { responses: object } }>
    }>()
    const described = ['search', 'random', 'recent', 'extended'].map(
      (path) => paths[`/emoji_id/${path}`]?.get?.responses,
    )
    for (const responses of described) expect(responses).toHaveProperty('429')
    expect(paths['/emoji_id/{emoji_id}']?.get?.responses).not.toHaveProperty('429')
  })
})

describe('expensive requests of a user', () => {
  it('list all ids until the network’s limit of ids', async () => {
    const owner = await newcomer(service)
    await grantIds(owner, 2_000)
    const list = (path: string, person: Person, address: string) =>
      service.get(path, from(address, person))
    const answers = await ask(30, () => list('/api/emoji_id', owner, '203.0.113.1'))
    const later = await Promise.all(
      ['/api/emoji_id', '/api/emoji_id/extended', '/api/account/load'].map((path) =>
        list(path, owner, '203.0.113.2'),
      ),
    )

    expect(withStatus(answers, 200).length).toBeGreaterThan(9)
    expect(withStatus(answers, 200)[0]?.json<string[]>()).toHaveLength(2_000)
    expectLimit([...answers, ...later], 10)
    expect(withStatus(later, 429)).toHaveLength(3)
    expect((await list('/api/emoji_id', anna, '192.0.2.2')).status).toBe(200)
  })

  it('search few words, within a limit of words', async () => {
    const search = (words: string[]) =>
      service.get(`/api/account/emoji_ids?q=${words.join('+')}`, from('203.0.114.1', anna))
    const letters = [...'abcdefghijklm']
    const tooMany = await search(letters)
    const repeatedAnswer = await search(Array<string>(90).fill('a'))
    const answers = await ask(80, () => search(letters.slice(1)))

    expect([tooMany.status, tooMany.json()['code']]).toEqual([400, 'invalid_request'])
    expect(repeatedAnswer.status).toBe(200)
    expectLimit(answers, 15)
  })

  it('write store entries within a limit of bytes, for any owner', async () => {
    const body = { data: { text: 'x'.repeat(900_000) } }
    const store = (person: Person, address: string, payload: object = body) =>
      service.post('/api/emoji_id/🔥🐍/json/SvcPageData', payload, from(address, person))
    const answers = await ask(50, () => store(anna, '203.0.117.1'))

    expectLimit(answers, 20, 413)
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
    for (let n = 0; n < 25; n++) expect((await declare()).status).toBe(413)
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
    const answers = await ask(90, () => edit({ delete: hashes }, '203.0.115.1'))
    const small = { insert: [{ tag: '0x5001', data: newId() }] }

    expectLimit(answers, 30, answers[0]?.status)
    expect(answers[0]?.status).not.toBe(429)
    expect((await edit(small, '192.0.2.3')).status).toBe(200)
  })
})

it('filling and checking out carts has a limit of items', async () => {
  const buyer = await newcomer(service, { isVerified: true })
  const address = '203.0.119.1'
  const post = (path: string, body: object, from_ = address) =>
    service.post(`/api/cart${path}`, body, from(from_, buyer))
  const items = Array.from({ length: 50 }, () => ({ emoji_id: newId() }))
  const first = await post('', { items })
  // Rejected requests leave a tenth of the limit, which would allow 30 checkouts of no items.
  const rejected = await ask(300, () => post('', { items: 'none' }))
  const checkouts = await ask(20, () => post('/checkout', { method: 'Free' }))
  const additionAnswer = await post('', { items })

  expect(first.status).toBe(200)
  expect(withStatus(rejected, 400)).toHaveLength(300)
  expectLimit(checkouts, 2, 422)
  expect(additionAnswer.status).toBe(429)
  expect((await post('/promo_code', { code: 'NONE' })).status).toBe(429)
  expect((await post('/checkout', { method: 'Free' }, '192.0.2.5')).status).toBe(422)
})

it('watching ids has a limit', async () => {
  const watcher = await newcomer(service, { isVerified: true })
  const watch = (address: string) =>
    service.post('/api/user_interests', { emoji_id: 'no emoji' }, from(address, watcher))
  const answers = await ask(320, () => watch('203.0.120.1'))
  const other = await watch('192.0.2.6')

  expect(other.status).not.toBe(429)
  expectLimit(answers, 250, other.status)
})

it('the API description pages have a rate limit in any spelling of the path', async () => {
  const file = (path: string) => service.call('HEAD', `/api/docs/${path}`, from('203.0.116.1'))
  expectLimit(await ask(90, () => file('%6Ason')), 40)
  expectLimit(await ask(600, () => file('static/logo.svg')), 100)
})

async function grantIds({ id }: Person, count: number) {
  const { pubkey } = await service.db
    .selectFrom('keys')
    .select('pubkey')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  const emojis = [...'🦀🐙🍕👑🔥🐍🌴🎸🚀💎']
  const rows = Array.from({ length: count }, (_, n) => {
    const emoji_id = [...String(n).padStart(5, '0')].map((digit) => emojis[Number(digit)]).join('')
    return { emoji_id, display_format: emoji_id, generation: 1, pubkey }
  })
  await service.db.insertInto('emoji_ids').values(rows).execute()
}
