import { knownTags, parseEmojiId } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertOwnedId } from '../../../../test/support/ids.ts'
import { lookupPaths } from '../../../../test/support/open-routes.ts'
import { newcomer } from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { stopTheClock } from '../../../../test/support/stopped-clock.ts'
import { demoIds } from '../../../demo/directory.ts'
import { transact } from '../../../platform/database/database.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

const at = (id: string, rest = '') => `/api/emoji_id/${encodeURIComponent(id)}${rest}`
const tagsIn = (answer: { json(): unknown }) =>
  (answer.json() as { result: { tag: string }[] }).result.map(({ tag }) => tag)

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const replace = (id: string, ...records: [tag: string, data: string][]) =>
  transact(service.db, (trx) =>
    service.edits.writeDemoRecords(
      trx,
      parseEmojiId(id),
      records.map(([tag, data]) => ({ tag, data })),
    ),
  )

describe('GET /emoji_id/{id}', () => {
  it('returns all records, oldest first, with the views of the past month', async () => {
    stopTheClock()
    const answer = await service.get(at('🔥🐍'))
    const midnight = `${service.clock.now().toISOString().slice(0, 10)}T00:00:00.000Z`

    expect(answer.status).toBe(200)
    expect(tagsIn(answer)).toEqual('0x1003 0x1004 0x1001 0x1002 0x6300 0x4001 0x0005'.split(' '))
    expect(answer.json()).toMatchObject({
      status: true,
      error: null,
      stats: [{ metric: 'api_emoji_lookups', key: '🔥🐍', value: 0, finish_date: midnight }],
    })
  })

  it.each([
    ['0x1003', ['0x1003']],
    ['0x1003,0x1004', ['0x1003', '0x1004']],
    ['0x1003%2C0X1004', ['0x1003', '0x1004']],
    ['0x9999', []],
    ['', '0x1003 0x1004 0x1001 0x1002 0x6300 0x4001 0x0005'.split(' ')],
  ])('GET /emoji_id/{id} with tags=%s returns only those', async (tags, expected) => {
    expect(tagsIn(await service.get(at('🔥🐍', `?tags=${tags}`)))).toEqual(expected)
  })

  it('returns an empty result for a registered id without records', async () => {
    const id = await insertOwnedId(service, (await newcomer(service)).id)
    const { status, json } = await service.get(at(id))
    expect([status, json()]).toEqual([200, expect.objectContaining({ status: true, result: [] })])
  })

  it.each(['👋🏽🌴', '👋🌴', '👋🏿🌴'])('finds %s with any skin tones', async (id) => {
    expect((await service.get(at(id))).status).toBe(200)
  })

  it('ignores credentials: an expired token must not stop a payment', async () => {
    const headers = { authorization: 'Bearer expired', 'x-api-key': 'wrong' }
    expect((await service.get(at('🔥🐍'), { headers })).status).toBe(200)
  })
})

describe('a rejected lookup', () => {
  it.each([
    [
      'an id with text',
      at('🔥a'),
      400,
      '“a” at position 2 is not an emoji. An emoji id contains emojis only.',
    ],
    ['seven emojis', at('🔥🔥🔥🔥🔥🔥🔥'), 400, undefined],
    ['no emoji', '/api/emoji_id/', 400, 'An emoji id has one to six emojis; this is empty.'],
    ['an unregistered id', at('🔥'), 404, 'The emoji id 🔥 is not registered.'],
    ['an unregistered id by ticker', at('🔥', '/BTC'), 404, 'The emoji id 🔥 is not registered.'],
    [
      'an unregistered id for payment',
      at('🔥', '/payment'),
      404,
      'The emoji id 🔥 is not registered.',
    ],
    ['a wrong tag', at('🔥🐍', '?tags=0xZZZZ'), 400, undefined],
    ['a tag in decimal', at('🔥🐍', '?tags=0x1004,4099'), 400, undefined],
    ['a tag without 0x', at('🔥🐍', '/payment?tags=1003'), 400, undefined],
    [
      'tags beside a token',
      at('🔥🐍', '/payment?token=USDC&network=ETH&tags=0x1003'),
      400,
      undefined,
    ],
    [
      'tags beside a token without a network',
      at('🔥🐍', '/payment?token=USDC&tags=0x1003'),
      400,
      'Send tags, or token and network.',
    ],
    ['an unknown network', at('🔥🐍', '/payment?token=USDC&network=NOPE'), 400, undefined],
    ['an unknown ticker', at('🔥🐍', '/NOPE'), 400, '“NOPE” is not a known currency.'],
    [
      'a token without a network',
      at('🔥🐍', '/payment?token=USDC'),
      400,
      'Send token and network together.',
    ],
  ])('for %s has a body with exactly one member', async (_what, path, status, error) => {
    const answer = await service.get(path)

    expect(answer.status).toBe(status)
    expect(Object.keys(answer.json())).toEqual(['error'])
    if (error) expect(answer.json()['error']).toBe(error)
  })
})

describe('GET /emoji_id/{id}/{ticker}', () => {
  it.each([
    ['BTC', ['0x1003']],
    ['btc', ['0x1003']],
    ['XMR', ['0x1001', '0x1002']],
    ['LTC', []],
    ['POL', []],
  ])('%s returns its records, without views', async (ticker, tags) => {
    const answer = await service.get(at('🔥🐍', `/${ticker}`))

    expect(tagsIn(answer)).toEqual(tags)
    expect(Object.keys(answer.json())).toEqual(['status', 'result', 'error'])
  })
})

describe('GET /emoji_id/{id}/payment', () => {
  it('returns one address per category, tokens by name and network', async () => {
    const { result } = (await service.get(at('🔥🐍', '/payment'))).json<{ result: object }>()
    expect(Object.keys(result)).toEqual(['0x1003', '0x1004', '0x1001', '0x1002', '0x6300:USDC:ETH'])
  })

  it('prefers the most recent default, else the most recent', async () => {
    const old = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
    const address = async () =>
      (await service.get(at('🐙🍕👑', '/payment'))).json<{
        result: Record<string, { address: string; default: boolean; description?: string }>
      }>().result['0x1003']
    await replace('🐙🍕👑', ['0x1003', old], ['0x1003', bitcoin])
    const recent = await address()
    await replace('🐙🍕👑', ['0x1003', `${old}|Savings||t`], ['0x1003', bitcoin])
    const preferred = await address()

    expect(recent).toMatchObject({ address: bitcoin, default: false })
    expect(preferred).toMatchObject({ address: old, default: true, description: 'Savings' })
  })

  it('returns {} when nothing matches', async () => {
    const { status, json } = await service.get(at('🔥🐍', '/payment?tags=0x1010'))
    expect([status, json()]).toEqual([200, { status: true, result: {}, error: null }])
  })

  it.each([
    ['USDC', 'ETH', '0x6300:USDC:ETH', 'token_record'],
    ['USDT', 'ETH', '0x1004', 'network_record'],
    ['usdt', 'eth', '0x1004', 'network_record'],
  ])(
    'GET /emoji_id/{id}/payment with token %s on %s names the record used',
    async (token, network, key, source) => {
      const { result } = (
        await service.get(at('🔥🐍', `/payment?token=${token}&network=${network}`))
      ).json<{ result: object }>()
      expect(result).toMatchObject({ [key]: { source } })
    },
  )

  it('returns {} for a token on a network without an address', async () => {
    const { json } = await service.get(at('🔥🐍', '/payment?token=USDT&network=TRX'))
    expect(json()['result']).toEqual({})
  })
})

describe('a strong ETag', () => {
  it.each(lookupPaths('🔥🐍'))(
    'a strong ETag of %s turns a repeat into a 304 without a body',
    async (path) => {
      const first = await service.get(path)
      const etag = first.headers.get('etag') ?? ''
      const secondAnswer = await service.get(path, { headers: { 'if-none-match': etag } })
      const other = await service.get(path, { headers: { 'if-none-match': '"other"' } })
      const any = await service.get(path, { headers: { 'if-none-match': '*' } })

      expect(etag).toMatch(/^"[\w-]{20,}"$/)
      expect(first.headers.get('cache-control')).toBe('public, no-cache')
      expect([secondAnswer.status, secondAnswer.body, secondAnswer.headers.get('etag')]).toEqual([
        304,
        '',
        etag,
      ])
      expect([other.status, any.status]).toEqual([200, 304])
    },
  )

  it('changes with the records and returns with them', async () => {
    const etag = async () => (await service.get(at('🐙🍕👑'))).headers.get('etag')
    await replace('🐙🍕👑', ['0x5001', 'one'])
    const one = await etag()
    await replace('🐙🍕👑', ['0x5001', 'two'])
    const two = await etag()
    await replace('🐙🍕👑', ['0x5001', 'one'])

    expect(two).not.toBe(one)
    expect(await etag()).toBe(one)
  })
})

describe('POST /emoji_id/lookup', () => {
  const lookup = (body: unknown) => service.post('/api/emoji_id/lookup', body)

  it('keeps the order and reports an error per id', async () => {
    const emoji_ids = ['🔥', '🔥🐍', 'x', '🔥🐍', '🐙🍕👑']
    const { status, json } = await lookup({ emoji_ids, tags: ['0x1003'] })
    const { data } = json() as {
      data: { emoji_id: string; status: boolean; error: object | null }[]
    }

    expect(status).toBe(200)
    expect(data.map(({ emoji_id }) => emoji_id)).toEqual(emoji_ids)
    expect(data.map((item) => item.status)).toEqual([false, true, false, false, true])
    expect(data[0]).toMatchObject({ result: null, error: { code: '404' } })
    expect(data[1]).toMatchObject({ result: [{ tag: '0x1003', data: bitcoin }], error: null })
    expect(data[2]).toMatchObject({ result: null, error: { code: '400' } })
    expect(data[3]).toMatchObject({ result: null, error: { code: 'repeated' } })
  })

  it('accepts 1,000 ids', async () => {
    const { status, json } = await lookup({
      emoji_ids: Array.from({ length: 1_000 }, () => '🔥🐍'),
    })
    expect([status, json<{ data: [] }>().data.length]).toEqual([200, 1_000])
  })

  it.each([
    ['1,001 ids', { emoji_ids: Array.from({ length: 1_001 }, () => '🔥🐍') }],
    ['no ids', { emoji_ids: [] }],
    ['no list', { emoji_ids: '🔥🐍' }],
    ['numbers', { emoji_ids: [1] }],
    ['a wrong tag', { emoji_ids: ['🔥🐍'], tags: ['zz'] }],
    ['nothing', undefined],
  ])('rejects %s', async (_what, body) => {
    expect((await lookup(body)).status).toBe(400)
  })

  it('POST /emoji_id/lookup can be read by pages of any origin', async () => {
    const headers = { origin: 'https://wallet.example' }
    const answer = await service.post('/api/emoji_id/lookup', { emoji_ids: ['🔥🐍'] }, { headers })
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('GET /tags', () => {
  it('lists the record types', async () => {
    const tags = (await service.get('/api/tags')).json<{ tag: string; ticker: string | null }[]>()
    expect(tags).toHaveLength(knownTags().length)
    expect(tags).toContainEqual(expect.objectContaining({ tag: '0x1003', ticker: 'BTC' }))
  })
})

describe('the demonstration data', () => {
  it('the demonstration data has records of every form', async () => {
    const lookups = demoIds.map(({ text }) => service.get(at(text)))
    const allRecords = (await Promise.all(lookups)).flatMap(tagsIn)
    const forms = new Set(
      knownTags()
        .filter(({ tag }) => allRecords.includes(tag))
        .map(({ data_form }) => data_form),
    )
    expect(
      [...new Set(knownTags().map(({ data_form }) => data_form))].filter(
        (form) => !forms.has(form),
      ),
      'Add a record with a tag of each of these forms (data_form) to an id of src/demo/directory.ts.',
    ).toEqual([])
  })
})

it('a lookup names at most 200 categories', async () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, n) => `0x${(0x1000 + n).toString(16)}`)
  const one = (count: number) =>
    service.get(`/api/emoji_id/${encodeURIComponent('🔥🐍')}?tags=${tags(count)}`)
  expect((await one(200)).status).toBe(200)
  expect((await one(201)).status).toBe(400)
})
