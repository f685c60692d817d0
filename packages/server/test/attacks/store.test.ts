import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { readProfile } from '@emojid/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { at, grant, recordsOf } from '../support/ids.ts'
import { bearer, newcomer, type Person, registerAs } from '../support/people.ts'
import { disturb, sendRaw as sendBytes } from '../support/raw.ts'
import { stopRefill } from '../support/refill.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
let id: string
const { useUp, resume } = stopRefill()
afterEach(() => useUp(0))
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service)
  id = await grant(admin, { user_id: anna.id })
})
afterAll(resume)

type Entry = { data: unknown; is_locked: boolean; locked_future_writes_at: string | null }
const path = (key = 'SvcPageData') => at(id, `/json/${key}`)
const write = (body: unknown, key?: string) => anna.post(path(key), body)
const read = async (key?: string) => (await service.get(path(key))).json<Entry>()
const headers = () => ({
  'content-type': 'application/json',
  ...bearer(anna.tokens.access_token).headers,
})
const sendRaw = (raw: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
  service.call('POST', path(), { raw, headers: { ...headers(), ...more } })
const writeInChunks = async (text: string, more: Record<string, string> = {}) => {
  const answer = await fetch(service.address + path(), {
    method: 'POST',
    headers: { ...headers(), ...more },
    duplex: 'half',
    body: Readable.from([text.slice(0, 9), text.slice(9)].map((part) => Buffer.from(part))),
  } as unknown as RequestInit)
  return { status: answer.status, body: await answer.text() }
}
const dataOf = async () => (await recordsOf(service, id)).map(({ data }) => data)

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

/** Existing data that must survive every refusal. */
const old = { title: 'as it was' }
const expectRefused = async (work: () => Promise<{ status: number; body: string }>) => {
  expect((await write({ data: old })).status).toBe(200)
  const answer = await work()
  expect((await read()).data).toEqual(old)
  return answer.status
}
/** JSON text of the given number of bytes. */
const textOf = (bytes: number) => 'x'.repeat(bytes - 2)
const nested = (depth: number) => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('the size of a store entry (T105)', () => {
  it('the size of a store entry (T105) is at most 256,000 bytes of compact JSON', async () => {
    expect((await write({ data: textOf(256_000) })).status).toBe(200)
    expect((await read()).data).toBe(textOf(256_000))
    expect(await expectRefused(() => write({ data: textOf(256_001) }))).toBe(413)
  })

  it('counts bytes, not characters', async () => {
    const data = '🦀'.repeat(63_999)
    expect((await write({ data: `${data}xx` })).status).toBe(200)
    expect((await read()).data).toBe(`${data}xx`)
    expect(await expectRefused(() => write({ data: `${data}xxx` }))).toBe(413)
    expect(await expectRefused(() => write({ data: 'ä'.repeat(128_000) }))).toBe(413)
  })

  it('ignores whitespace and escapes that compact JSON omits', async () => {
    const air = ' '.repeat(300_000)
    expect((await sendRaw(`{"data":${air}{"a":${air}1}}`)).status).toBe(200)
    expect((await read()).data).toEqual({ a: 1 })
    // Six bytes each as sent, one as stored.
    expect((await sendRaw(`{"data":"${'\\u0041'.repeat(150_000)}"}`)).status).toBe(200)
    expect((await read()).data).toBe('A'.repeat(150_000))
  })

  it('the size of a store entry (T105) is limited for every transfer encoding', async () => {
    const body = JSON.stringify({ data: textOf(256_001) })
    const air = ' '.repeat(1_100_000)
    expect(await expectRefused(() => sendRaw(`{"data":1}${air}`))).toBe(413)
    expect(
      await expectRefused(() => sendRaw(gzipSync('{"data":1}'), { 'content-encoding': 'gzip' })),
    ).toBe(400)
    expect(await expectRefused(() => writeInChunks(body))).toBe(413)
    expect((await writeInChunks('{"data":"in pieces"}')).status).toBe(200)
    expect((await read()).data).toBe('in pieces')
  })
})

describe('the form of a store entry (T106)', () => {
  it('allows 64 levels of nesting', async () => {
    expect((await sendRaw(nested(64))).status).toBe(200)
    expect(JSON.stringify((await read()).data)).toBe('['.repeat(64) + ']'.repeat(64))
  })

  it.each<[string, string, number]>([
    ['65 levels', nested(65), 400],
    ['5,000 levels', nested(5_000), 400],
    ['200,000 levels', nested(200_000), 400],
    ['200,000 levels that never close', `{"data":${'['.repeat(200_000)}`, 400],
    ['objects 65 deep', `{"data":${'{"a":'.repeat(65)}1${'}'.repeat(65)}}`, 400],
    ['__proto__', '{"data":{"__proto__":{"polluted":1}}}', 400],
    ['__proto__ beside data', '{"data":1,"__proto__":{"polluted":1}}', 400],
    ['an escaped __proto__', '{"data":{"__pr\\u006fto__":{"polluted":1}}}', 400],
    ['constructor.prototype', '{"data":{"constructor":{"prototype":{"polluted":1}}}}', 400],
    ['a NUL', '{"data":"\\u0000"}', 400],
    ['a NUL in a name', '{"data":{"a\\u0000":1}}', 400],
    ['half a surrogate pair', '{"data":"\\ud83e"}', 400],
    ['1e400', '{"data":1e400}', 400],
    ['-1e400, deep inside', '{"data":[{"a":[-1e400]}]}', 400],
    ['no data', '{}', 400],
    ['not JSON', '{"data":', 400],
    ['NaN', '{"data":NaN}', 400],
    ['100,000 members', `{"data":{${members(100_000)}}}`, 413],
  ])('rejects %s', async (_, raw, status) => {
    expect(await expectRefused(() => sendRaw(raw))).toBe(status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  const validEntries: unknown[] = [
    null,
    false,
    0,
    '',
    [],
    {},
    1e300,
    5e-324,
    -1.5,
    'a"\\\u2028\u007f🦀',
    { constructor: 1 },
    { z: 1, a: 2, '': 3 },
    { hasOwnProperty: null, toString: 1 },
  ]
  it.each(validEntries.map((data) => ({ data })))('stores %j unchanged', async ({ data }) => {
    expect((await write({ data })).status).toBe(200)
    expect(JSON.stringify((await read()).data)).toBe(JSON.stringify(data))
  })

  it('allows no invalid key, without affecting other entries', async () => {
    await write({ data: 'links' }, 'SvcLinkData')
    for (const key of ['Other', 'svcpagedata', '__proto__', '%00', "SvcPageData'--"]) {
      expect((await write({ data: 1 }, key)).status).toBe(400)
    }
    await write({ data: 'page' })
    expect((await read('SvcLinkData')).data).toBe('links')
    expect((await read('VisualizerName')).data).toEqual({})
  })
})

it('markup in a store entry is returned as JSON that no browser renders as a page (T104)', async () => {
  const data = { a: '<script>alert(1)</script>', b: '<svg onload=alert(1)>', c: 'javascript:x' }
  expect((await write({ data })).status).toBe(200)
  for (const place of [path(), at(id, '/json?keys=SvcPageData')]) {
    const answer = await service.get(place)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  }
  expect((await read()).data).toEqual(data)
})

describe('addresses of pictures', () => {
  const key = 'VisualizerFileLocations'
  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    '/pictures/crab.png',
    '//example.com/crab.png',
    'https://anna:secret@example.com/crab.png',
    'crab',
    '',
    7,
    ['https://example.com/crab.png'],
  ])('addresses of pictures are web addresses: %j is refused in every member', async (address) => {
    for (const member of ['gif', 'image', 'video', 'webm']) {
      const answer = await write({ data: { [member]: address } }, key)
      expect([answer.status, answer.json()['code']]).toEqual([422, 'wrong_picture_address'])
    }
  })

  it.each([
    { thumbnail: 'javascript:alert(1)' },
    { sizes: { small: ['https://example.com/a', ' java\nscript:alert(1)'] } },
    { poster: 'data:text/html,<script>alert(1)</script>' },
  ])('addresses of pictures are no script under any other name either: %j', async (data) => {
    const answer = await write({ data }, key)
    expect([answer.status, answer.json()['code']]).toEqual([422, 'wrong_picture_address'])
  })

  it('come in an object, whose other members and nulls are free', async () => {
    for (const data of ['https://example.com/crab.png', ['a'], null, 7]) {
      expect((await write({ data }, key)).json()['code']).toBe('wrong_locations')
    }
    for (const data of [
      {},
      { image: 'https://example.com/crab.png', gif: null, made: 7, by: 'Crab: a story' },
    ]) {
      expect((await write({ data }, key)).status).toBe(200)
    }
  })
})

describe('records linked to a store entry', () => {
  beforeEach(async () => {
    id = await grant(admin, { user_id: anna.id })
  })
  const text = (data: string) => ({ tag: '0x5001', data })

  it('replace only the previous linked ones, in one step', async () => {
    await anna.patch(at(id), { insert: [text('own')] })
    await write({ data: 1, linked_tags: [text('a'), text('b')] })
    await write({ data: 1, linked_tags: [text('c')] }, 'SvcLinkData')
    expect(await dataOf()).toEqual(['own', 'a', 'b', 'c'])
    await write({ data: 2, linked_tags: [text('b'), text('d')] })
    expect(await dataOf()).toEqual(['own', 'b', 'd', 'c'])

    await write({ data: 3 })
    expect(await dataOf()).toEqual(['own', 'b', 'd', 'c'])
    await write({ data: 4, linked_tags: null })
    expect(await dataOf()).toEqual(['own', 'b', 'd', 'c'])
    await write({ data: 5, linked_tags: [] })
    expect(await dataOf()).toEqual(['own', 'c'])
  })

  it('records linked to a store entry are written together with the entry or not at all', async () => {
    await anna.patch(at(id), { insert: [text('own')] })
    await write({ data: old, linked_tags: [text('before')] })
    const before = await recordsOf(service, id)
    const refusals: [number, object][] = [
      [422, { data: 1, linked_tags: [text('good'), { tag: '0x1003', data: 'nonsense' }] }],
      [422, { data: 1, linked_tags: [text('twice'), text('twice')] }],
      [422, { data: 1, linked_tags: [text('own')] }],
      [400, { data: 1, linked_tags: [{ tag: '0xZZZZ', data: 'x' }] }],
      [413, { data: textOf(256_001), linked_tags: [text('new')] }],
    ]
    for (const [status, body] of refusals) {
      expect(await expectRefused(() => write(body))).toBe(status)
      expect(await recordsOf(service, id)).toEqual(before)
    }
  })

  it('records linked to a store entry may be deleted by the owner in between', async () => {
    await write({ data: 1, linked_tags: [text('gone soon')] })
    const { hash } = (await recordsOf(service, id)).find(({ data }) => data === 'gone soon') ?? {}
    expect((await anna.patch(at(id), { delete: [hash] })).status).toBe(200)
    expect((await write({ data: 2, linked_tags: [text('next')] })).status).toBe(200)
    expect((await dataOf()).filter((data) => /gone|next/.test(data))).toEqual(['next'])
  })

  it('that the owner deleted and rewrote by hand belong to the owner and stay', async () => {
    await write({ data: 1, linked_tags: [text('by hand soon')] })
    const records = await recordsOf(service, id)
    const { hash } = records.find(({ data }) => data === 'by hand soon') ?? {}
    expect((await anna.patch(at(id), { delete: [hash] })).status).toBe(200)
    expect((await anna.patch(at(id), { insert: [text('by hand soon')] })).status).toBe(200)
    expect((await write({ data: 2, linked_tags: [] })).status).toBe(200)
    expect(await dataOf()).toContain('by hand soon')
  })

  it('that an address written by hand replaced are gone, and the address stays', async () => {
    const [own, other] = [`${bitcoin}|linked`, `${bitcoin}|by hand`]
    await write({ data: 1, linked_tags: [{ tag: '0x1003', data: own }] })
    await anna.patch(at(id), { insert: [{ tag: '0x1003', data: other }] })
    expect((await write({ data: 2, linked_tags: [] })).status).toBe(200)
    expect(await dataOf()).toContain(other)
    expect(await dataOf()).not.toContain(own)
  })

  it('create no version when unchanged', async () => {
    const body = { data: 1, linked_tags: [text('the same'), text('as before')] }
    const historyOf = async () => (await service.get(at(id, '/history'))).json()
    expect((await write(body)).status).toBe(200)
    const before = await historyOf()
    expect((await write({ ...body, data: 2 })).status).toBe(200)
    expect(await historyOf()).toEqual(before)
    expect((await read()).data).toBe(2)
  })

  it('records linked to a store entry are named in errors as they were sent', async () => {
    const wrong = { data: 1, linked_tags: [text('good'), { tag: '0x1003', data: 'nonsense' }] }
    const twice = { data: 1, linked_tags: [text('twice'), text('twice')] }
    const fieldsOf = async (body: object) =>
      Object.keys((await write(body)).json<{ fields: object }>().fields)
    expect(await fieldsOf(wrong)).toEqual(['linked_tags.1'])
    expect(await fieldsOf(twice)).toEqual(['linked_tags'])
  })
})

it('a store entry is written once with an Idempotency-Key (T117)', async () => {
  const send = (data: unknown, key = 'once') =>
    service.call('POST', path(), {
      body: { data },
      headers: { ...headers(), 'idempotency-key': key },
    })
  const first = await send('first')
  await write({ data: 'second' })
  const secondAnswer = await send('first')
  expect([first.status, secondAnswer.status, secondAnswer.body]).toEqual([200, 200, first.body])
  expect(secondAnswer.headers.get('idempotency-replayed')).toBe('true')
  expect((await read()).data).toBe('second')
  expect((await send('other')).status).toBe(422)
})

describe('a locked store entry', () => {
  const lockPath = (key = 'SvcPageData') => path(key).replace('/emoji_id/', '/admin/emoji_ids/')
  const lock = (body: object, by: Pick<Person, 'put'> = admin) => by.put(`${lockPath()}/lock`, body)

  it('a locked store entry is read-only until an administrator unlocks it', async () => {
    await write({ data: old, linked_tags: [] })
    const before = await dataOf()
    expect((await lock({ is_locked: true }, anna)).status).toBe(403)
    expect((await lock({ is_locked: true })).json()).toMatchObject({ is_locked: true, data: old })
    for (const by of [anna, admin]) {
      const body = { data: 1, linked_tags: [{ tag: '0x5001', data: 'through the back' }] }
      const answer = await by.post(path(), body)
      expect([answer.status, answer.json()['code']]).toEqual([422, 'locked'])
    }
    expect(await read()).toMatchObject({ data: old, is_locked: true })
    expect(await dataOf()).toEqual(before)
    expect((await write({ data: 'open' }, 'SvcLinkData')).status).toBe(200)

    expect((await lock({ is_locked: false })).status).toBe(200)
    expect((await write({ data: 'again' })).status).toBe(200)
  })

  it('a locked store entry can be locked from a time on', async () => {
    const soon = new Date(service.clock.now().getTime() + 60_000).toISOString()
    const set = await lock({ is_locked: false, locked_future_writes_at: soon })
    expect(set.json()).toMatchObject({ is_locked: false, locked_future_writes_at: soon })
    expect((await write({ data: old })).status).toBe(200)
    expect(await read()).toMatchObject({ is_locked: false })
    service.clock.advance(61_000)
    expect((await write({ data: 'too late' })).status).toBe(422)
    expect(await read()).toMatchObject({ is_locked: true, locked_future_writes_at: soon })
    expect((await read()).data).toEqual(old)
    expect((await lock({ is_locked: false, locked_future_writes_at: null })).status).toBe(200)
    expect((await write({ data: 'again' })).status).toBe(200)
  })

  it.each(['tomorrow', '2026-02-30T00:00:00Z', '2016-12-31T23:59:60Z'])(
    'cannot be locked from %s on',
    async (locked_future_writes_at) => {
      expect((await lock({ is_locked: false, locked_future_writes_at })).status).toBe(400)
      expect((await read()).locked_future_writes_at).toBeNull()
    },
  )
})

function members(count: number): string {
  return Array.from({ length: count }, (_, n) => `"${n.toString(36)}":1`).join(',')
}

describe('large store entries', () => {
  it('large store entries have at most 5,000 members when written', async () => {
    const parts = (count: number) => Array(count).fill({})
    // 29 kB of numbers are no members.
    expect((await write({ data: Array(14_500).fill(1) })).status).toBe(200)
    expect((await write({ data: parts(4_990) })).status).toBe(200)
    expect(await expectRefused(() => write({ data: parts(5_000) }))).toBe(413)
  })
})

describe('large store entries from before the member limit', () => {
  const keys = ['SvcPageData', 'SvcLinkData', 'VisualizerData'] as const
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 27_000 }, (_, n) => [n, 1])))
  beforeEach(async () => {
    id = await grant(admin, { user_id: anna.id })
    await service.db
      .insertInto('store_entries')
      .values(keys.map((key) => ({ emoji_id: id, key, data: many })))
      .execute()
  })

  it('large store entries from before the member limit are returned as text and break no page', async () => {
    const entries = await service.get(at(id, `/json?keys=${keys.join()}`))
    const one = await service.get(at(id, `/json/${keys[0]}`))
    const link = encodeURIComponent('https://example.com')

    expect(entries.status).toBe(200)
    expect(entries.body.split(many)).toHaveLength(4)
    expect(one.body).toContain(`"data":${many}`)
    expect((await service.get(`/${encodeURIComponent(id)}`)).status).toBe(200)
    const redirect = await service.get(
      `/api/redirect?emoji_id=${encodeURIComponent(id)}&link=${link}`,
    )
    expect(redirect.status).toBe(404)
  })

  it('large store entries from before the member limit have a rate limit in bytes per network, separate from lookups and other networks', async () => {
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
    const path = at(id, `/json?keys=${keys.join()}`)
    expect((await service.get(path, from('198.51.100.1'))).status).toBe(200)
    useUp(9.5)
    // Concurrent requests have the same limit.
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => service.get(path, from(`198.51.100.${n}`))),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(6)
    const refusal = await service.get(path, from('198.51.100.200'))

    expect([refusal.status, refusal.json()['code']]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await service.get(at(id), from('198.51.100.9'))).status).toBe(200)
    expect((await service.get(path, from('192.0.2.9'))).status).toBe(200)
  })

  it('large store entries from before the member limit have the same limit where pages and redirects read them', async () => {
    const link = encodeURIComponent('https://example.com')
    const follow = (from: string) =>
      service.get(`/api/redirect?emoji_id=${encodeURIComponent(id)}&link=${link}`, {
        headers: { 'x-forwarded-for': from },
      })
    let { status } = await follow('203.0.113.1')
    expect(status).toBe(404)
    useUp(9.5)
    for (let n = 2; n < 22 && status === 404; n++) status = (await follow(`203.0.113.${n}`)).status

    expect(status).toBe(429)
    expect((await follow('192.0.2.9')).status).toBe(404)
  })
})

it('writing store entries has a limit in received bytes, also if the client disconnects then', async () => {
  const network = { 'x-forwarded-for': '198.51.101.1' }
  const body = JSON.stringify({ data: textOf(200_000) })
  const lines = ['Host: localhost', 'X-Test: leaves', `Content-Length: ${body.length}`]
  for (const [name, value] of Object.entries({ ...headers(), ...network })) {
    lines.push(`${name}: ${value}`)
  }
  const head = [`POST ${path()} HTTP/1.1`, ...lines].join('\r\n')
  expect((await writeInChunks('{"data":1}', network)).status).toBe(200)
  useUp(19.7)
  // Chunks of 20 bytes count 10 kB, not the longest body of the route.
  expect((await writeInChunks('{"data":2}', network)).status).toBe(200)
  disturb('leaves', (request) => request.once('end', () => request.socket.destroy()))
  for (const _ of [1, 2]) await sendBytes(service.port, `${head}\r\n\r\n${body}`)

  expect((await writeInChunks('{"data":3}', network)).status).toBe(429)
})

describe('the page of an id with many addresses', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const tokens = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      tag: '0x6300',
      data: `T${n}|${'L'.repeat(60)}|ETH|${address}||`,
    }))

  it('the page of an id with many addresses has a rate limit in bytes per network, and shows every change immediately', async () => {
    const large = await grant(admin, { user_id: anna.id })
    await anna.patch(at(large), { insert: tokens(190) })
    const open = (from: string, etag = '') =>
      service.get(`/${encodeURIComponent(large)}`, {
        headers: { 'x-forwarded-for': from, 'if-none-match': etag },
      })
    const first = await open('192.0.2.1')
    expect(first.status).toBe(200)
    const firstEtag = first.headers.get('etag') ?? ''
    expect((await open('192.0.2.1', firstEtag)).status).toBe(304)
    await anna.patch(at(large), { insert: [{ tag: '0x1003', data: bitcoin }] })
    const changeAnswer = await open('192.0.2.1', firstEtag)
    expect([changeAnswer.status, changeAnswer.body.includes(bitcoin)]).toEqual([200, true])

    let { status } = await open('198.18.0.1')
    expect(status).toBe(200)
    useUp(9.8)
    const count = Math.ceil(400_000 / first.body.length)
    for (let n = 2; n < count + 2 && status === 200; n++)
      status = (await open(`198.18.0.${n}`)).status
    expect(status).toBe(429)
    expect((await open('192.0.3.9')).status).toBe(200)
  })
})

describe('links of a page', () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ url: `https://example.com/${n}` }))

  it.each([
    ['SvcLinkData', (list: unknown) => list],
    ['SvcLinkData', (list: unknown) => ({ theme: 'dark', groups: [{ links: list }] })],
    ['SvcPageData', (list: unknown) => ({ title: 'Anna', links: list })],
  ])('links of a page are at most fifty in %s', async (key, inside) => {
    expect((await write({ data: inside(links(50)) }, key)).status).toBe(200)
    const refusal = await write({ data: inside(links(51)) }, key)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'too_many_links'])
    const texts = Array.from({ length: 990 }, () => 'no address')
    expect((await write({ data: inside(texts) }, key)).status).toBe(422)
    expect((await read(key)).data).toEqual(inside(links(50)))
  })

  it('links of a page leave all other data of a page as it is', async () => {
    const data = { title: 'Anna', tracks: Array.from({ length: 300 }, (_, n) => `Track ${n}`) }
    expect((await write({ data })).status).toBe(200)
    expect((await write({ data: data.tracks }, 'VisualizerData')).status).toBe(200)
  })

  it('stored before the limit stay readable, and the page shows the first fifty', async () => {
    const data = [...Array(900).fill('https://['), ...links(80)]
    await service.db
      .insertInto('store_entries')
      .values({
        emoji_id: id,
        key: 'SvcLinkData',
        data: JSON.stringify(data),
        created_at: new Date(),
        updated_at: new Date(),
      })
      .onConflict((conflict) =>
        conflict.columns(['emoji_id', 'key']).doUpdateSet({ data: JSON.stringify(data) }),
      )
      .execute()
    expect((await read('SvcLinkData')).data).toEqual(data)
    const { links: shown } = readProfile([], {}, data)
    expect(shown.map(({ url }) => url)).toEqual(links(50).map(({ url }) => url))
  })
})
