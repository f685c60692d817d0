import { describe, expect, it } from 'vitest'
import { fakeService, json, lookupBody, record, thrownBy } from '../../test/support.ts'
import { createClient } from '../client.ts'
import { RefusedError, UnexpectedAnswerError, UnregisteredError } from '../errors.ts'

const answering = (body: unknown, init?: ResponseInit) => {
  const { api, fetch } = fakeService(() => json(body, init))
  return createClient({ api, fetch, retries: 0 })
}
const bitcoin = record('0x1003', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')
const proof = {
  emoji_id: '🔥',
  pubkey: 'c'.repeat(64),
  version: 4,
  changed_at: null,
  domain: '',
  message: '',
  merkle_root: 'a'.repeat(64),
  signature: null,
  records: [{ ...bitcoin, proof: [] }],
}

describe('an unregistered id', () => {
  it.each([
    ['by the sentence of lookups', { error: 'The emoji id 🔥 is not registered.' }],
    ['with a word', { error: 'No.', code: 'unregistered_emoji_id', request_id: '1' }],
  ])('an unregistered id is reported %s', async (_how, body) => {
    const error = await thrownBy(answering(body, { status: 404 }).lookup('🔥'))
    expect(error).toBeInstanceOf(UnregisteredError)
    expect(error).toMatchObject({ id: '🔥', code: 'unregistered' })
  })

  it('an unregistered id is reported by the error envelope', async () => {
    const body = { status: false, result: [], error: { code: '404', reason: 'no' }, stats: [] }
    expect(await thrownBy(answering(body).lookup('🔥'))).toBeInstanceOf(UnregisteredError)
  })

  it('an unregistered id is not inferred from an unknown path', async () => {
    const body = { error: 'There is no GET operation.', code: 'unknown_path', request_id: '1' }
    const error = await thrownBy(answering(body, { status: 404 }).lookup('🔥'))
    expect(error).toBeInstanceOf(RefusedError)
  })

  it.each([
    ['another server', 'not found'],
    ['another framework', { statusCode: 404, error: 'Not Found' }],
    ['another framework, with a message', { statusCode: 404, error: 'Not Found', message: '🔥' }],
    ['a bare sentence', { error: 'Not Found' }],
    ['a word alone', { error: 'Not Found', code: 'unregistered_emoji_id' }],
    ['nothing', {}],
  ])('an unregistered id is not inferred from %s', async (_what, body) => {
    const client = answering(body, { status: 404 })
    for (const attempt of [client.lookup('🔥'), client.proof('🔥')]) {
      expect(await thrownBy(attempt)).toBeInstanceOf(UnexpectedAnswerError)
    }
  })
})

describe('an invalid response', () => {
  const about = (more: object) => ({ ...lookupBody('🔥', [bitcoin]), ...more })
  it.each([
    ['is of another id', lookupBody('🐍', [bitcoin])],
    ['is no object', [bitcoin]],
    ['is null', null],
    ['has no records', about({ result: undefined })],
    ['has records of another type', about({ result: { 0: bitcoin } })],
    ['has a record without data', about({ result: [{ ...bitcoin, data: undefined }] })],
    ['has data that is no text', about({ result: [{ ...bitcoin, data: ['bc1'] }] })],
    ['has a tag that is none', about({ result: [{ ...bitcoin, tag: '__proto__' }] })],
    ['has a tag that is a number', about({ result: [{ ...bitcoin, tag: 0x1003 }] })],
    ['has a hash that is none', about({ result: [{ ...bitcoin, hash: 'x' }] })],
    ['says neither yes nor no', about({ status: 'true' })],
    ['has counts of another type', about({ stats: 'none' })],
    ['does not name its id', about({ stats: undefined })],
    ['counts nothing', about({ stats: [] })],
    ['counts lookups without an id', about({ stats: [{ metric: 'api_emoji_lookups', value: 3 }] })],
    ['has the hash of another record', about({ result: [{ ...bitcoin, hash: 'a'.repeat(64) }] })],
  ])('an invalid response is refused: it %s', async (_what, body) => {
    const client = answering(body)
    expect(await thrownBy(client.lookup('🔥'))).toBeInstanceOf(UnexpectedAnswerError)
    expect(await thrownBy(client.pay('🔥', { ticker: 'BTC' }))).toBeInstanceOf(
      UnexpectedAnswerError,
    )
  })

  it.each([
    ['HTML', () => new Response('<html>Log in to this hotel</html>')],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '//evil.example' } }),
    ],
    ['half of a text', () => new Response('{"status":true,')],
  ])('an invalid response is refused: %s', async (_what, response) => {
    const { api, fetch } = fakeService(response)
    const error = await thrownBy(createClient({ api, fetch }).lookup('🔥'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
  })

  it('an invalid response is refused when it never ends', async () => {
    const megabyte = new Uint8Array(1_000_000).fill(32)
    let sentCount = 0
    const endless = () =>
      new ReadableStream({
        pull: (controller) => {
          sentCount++
          controller.enqueue(megabyte)
        },
      })
    const { api, fetch } = fakeService(() => new Response(endless()))
    const error = await thrownBy(createClient({ api, fetch }).lookup('🔥'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
    expect(sentCount).toBeLessThan(40)
  })

  it.each([
    ['is of another id', { emoji_id: '🐍' }],
    ['has a version that is no number', { version: '4' }],
    [
      'has the hash of another record',
      { records: [{ ...bitcoin, hash: 'a'.repeat(64), proof: [] }] },
    ],
    ['has a key that is none', { pubkey: 'abc' }],
    ['has a signature that is none', { signature: { signer: 1 } }],
    [
      'has steps that lead nowhere',
      { records: [{ ...bitcoin, proof: [{ side: 'up', hash: '' }] }] },
    ],
  ])('an invalid response is refused as a proof: it %s', async (_what, more) => {
    const error = await thrownBy(answering({ ...proof, ...more }).proof('🔥'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
  })

  it('an invalid response is refused as a search result of another id', async () => {
    const client = answering({ result: { emoji_id: '🐍' }, alternates: [] })
    expect(await thrownBy(client.search('🔥'))).toBeInstanceOf(UnexpectedAnswerError)
  })
})

describe('a refusal', () => {
  it("carries all members of the service's error", async () => {
    const fields = { eid: [{ code: 'eligibility', message: 'Twice.' }] }
    const body = { error: 'No.', code: 'eligibility', request_id: 'r', fields }
    const client = answering(body, { status: 422, headers: { 'x-request-id': 'r' } })
    expect(await thrownBy(client.api.cart.getCart())).toMatchObject({
      code: 'refused',
      status: 422,
      reason: 'eligibility',
      fields,
      requestId: 'r',
      message: 'No.',
    })
  })

  it.each([[{ error: { deep: 1 }, code: 7, fields: [] }], ['text'], [null]])(
    'of any shape is still a refusal: %j',
    async (body) => {
      const error = await thrownBy(answering(body, { status: 422 }).api.cart.getCart())
      expect(error).toMatchObject({ code: 'refused', status: 422, reason: '', fields: {} })
    },
  )
})

describe('many ids at once', () => {
  const item = (id: string) => ({ emoji_id: id, status: true, result: [bitcoin], error: null })
  const batches = () =>
    fakeService(({ body }) => json({ data: (body as { emoji_ids: string[] }).emoji_ids.map(item) }))

  it('many ids at once are requested a thousand at a time without duplicates, and returned in order', async () => {
    const { api, fetch, requests } = batches()
    const emojis = [...'🔥🐍👑💎👻🐙🍕🦀🌴🎸🚀']
    const ids = emojis.flatMap((a) => emojis.flatMap((b) => emojis.map((c) => a + b + c)))
    const results = await createClient({ api, fetch }).lookupMany([...ids, 'x', ...ids])
    expect(requests.map(({ body }) => (body as { emoji_ids: [] }).emoji_ids.length)).toEqual([
      1_000, 331,
    ])
    expect(results.map(({ text }) => text)).toEqual([...ids, 'x', ...ids])
    expect(results.filter(({ status }) => status === 'invalid')).toHaveLength(1)
  })

  it('report a suspended id in its place, and the others as usual', async () => {
    const error = { code: 'suspended', reason: 'Suspended.' }
    const suspended = { emoji_id: '🔥', status: false, result: null, error }
    const results = await answering({ data: [suspended, item('🐍')] }).lookupMany(['🔥', '🐍'])
    expect(results).toMatchObject([
      { status: 'failed', id: '🔥', error: { status: 451, reason: 'suspended' } },
      { status: 'found', id: '🐍' },
    ])
  })

  it.each([
    ['of other ids', [item('🐍')]],
    ['too few', []],
    ['too many', [item('🔥'), item('🐍')]],
    ['of another type', { 0: item('🔥') }],
    ['hashes of others', [{ ...item('🔥'), result: [{ ...bitcoin, hash: 'a'.repeat(64) }] }]],
  ])('many ids at once are refused when the responses are %s', async (_what, data) => {
    const error = await thrownBy(answering({ data }).lookupMany(['🔥']))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
  })
})

it('only the requested categories are returned', async () => {
  const client = answering(lookupBody('🔥', [bitcoin, record('0x0002', 'hello')]))
  const { records } = await client.lookup('🔥', { tags: ['0x1003'] })
  expect(records.map(({ tag }) => tag)).toEqual(['0x1003'])
  expect(await thrownBy(client.lookup('🔥', { tags: ['BTC'] }))).toMatchObject({
    code: 'invalid_request',
  })
})

describe('the views of an id', () => {
  const views = (value: unknown) => ({ metric: 'api_emoji_lookups', key: '🔥', value })
  const other = { metric: 'api_other', key: '🔥', value: 7 }
  it.each([
    ['are those of the count of lookups', [other, views(3), other], 3],
    ['may be zero', [views(0)], 0],
    ['are unknown where the service says -1', [views(-1)], undefined],
    ['are unknown without the count of lookups', [other], undefined],
    ['are unknown where the count is no number', [views('3')], undefined],
  ])('%s', async (_what, stats, expected) => {
    const result = await answering({ ...lookupBody('🔥'), stats }).lookup('🔥')
    expect('views' in result ? result.views : undefined).toBe(expected)
    expect('views' in result).toBe(expected !== undefined)
  })
})
