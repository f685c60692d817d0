import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeService, json, lookupBody, thrownBy, vectorText } from '../test/support.ts'
import { createClient } from './client.ts'
import { InvalidIdError } from './errors.ts'
import { parseId, parseTypedId } from './ids.ts'

type Vector = {
  name: string
  input: string | null
  percent: string
  error?: string
  canonical: string
  chain: string
  display: string
  shortname: string
}
const vectors: Vector[] = JSON.parse(vectorText('id-vectors.json')).vectors
const good = vectors.filter(({ error }) => error === undefined)
const bad = vectors.filter(({ error, input }) => error !== undefined && input !== null)

describe('the shared id vectors', () => {
  it('the shared id vectors are complete', () =>
    expect([vectors.length, bad.length]).toEqual([203, 106]))

  it.each(good)('$name is requested in its canonical form', async (v) => {
    const { api, fetch, requests } = fakeService(() => json(lookupBody(v.canonical)))
    const client = createClient({ api, fetch })
    for (const spelling of [v.input as string, v.canonical, v.chain, v.display]) {
      expect((await client.lookup(spelling)).id).toBe(v.canonical)
    }
    const urls = new Set(requests.map(({ url }) => url))
    expect([...urls]).toEqual([`${api}/emoji_id/${encodeURIComponent(v.canonical)}`])
    expect(parseTypedId(` ${v.shortname.toUpperCase()}\n`)).toBe(v.canonical)
  })

  it.each(bad)('$name is rejected as $error, and never sent', async (v) => {
    const { api, fetch, requests } = fakeService(() => json(lookupBody('🔥')))
    const client = createClient({ api, fetch })
    const text = v.input as string
    const attempts = [
      client.lookup(text),
      client.pay(text, { ticker: 'BTC' }),
      client.search(text),
      client.proof(text),
      client.api.directory.emojiIdRhythm({ path: { emoji_id: text } }),
      client.api.ownIds.editEmojiId({ path: { emoji_id: text }, body: {} }),
    ]
    for (const attempt of attempts) {
      expect(await thrownBy(attempt)).toMatchObject({ code: 'invalid_id', fault: v.error })
    }
    const [one] = await client.lookupMany([text])
    expect(one).toMatchObject({ status: 'invalid', error: { fault: v.error } })
    expect(requests).toEqual([])
  })
})

it.each(vectors.filter(({ error, percent }) => error && percent))(
  '$name is rejected as a part of a URL too',
  ({ percent }) => expect(() => parseId(percent)).toThrow(InvalidIdError),
)

it('typed text may be a name or a DNS label', () => {
  for (const spelling of ['fire.snake', 'Fire.SNAKE', 'xn--4n8hpr', 'XN--4n8hpr', '🔥🐍']) {
    expect(parseTypedId(` ${spelling}\n`)).toBe('🔥🐍')
  }
  for (const text of ['', 'xn--', 'admin', 'fire..snake']) {
    expect(() => parseTypedId(text)).toThrow(InvalidIdError)
  }
})

describe('the fault of an id', () => {
  it.each([
    ['🔥🈵🐍', '🈵', 2],
    ['🔥 🐍', ' ', 2],
    ['🐙🏽', '🏽', 1],
    ['', '', 1],
  ])('%j names the emoji and its position', (text, emoji, place) => {
    expect(() => parseId(text)).toThrow(InvalidIdError)
    expect(() => parseId(text)).toThrow(expect.objectContaining({ emoji, place }))
  })

  it('the fault of an id is reported for names too', () => {
    expect(() => parseTypedId('fire.snak')).toThrow('“snak” is not the name of an emoji')
    expect(() => parseId('fire.snake')).toThrow(InvalidIdError)
  })
})

describe('a value that is no text', () => {
  const { api, fetch, requests } = fakeService(() => json(lookupBody('🔥')))
  const client = createClient({ api, fetch })

  it.each([undefined, null, 42, {}, [], ['🔥']])(
    'a value that is no text is no id: %j',
    async (value) => {
      const text = value as string
      expect(() => parseId(text)).toThrow(InvalidIdError)
      expect(() => parseTypedId(text)).toThrow(InvalidIdError)
      const attempts = [client.lookup(text), client.proof(text), client.search(text)]
      for (const attempt of [...attempts, client.pay(text, { ticker: 'BTC' })]) {
        expect(await thrownBy(attempt)).toBeInstanceOf(InvalidIdError)
      }
      expect(await client.lookupMany([text])).toMatchObject([{ status: 'invalid' }])
      expect(requests).toEqual([])
    },
  )

  it('a value that is no text is no list of ids or tags either', async () => {
    const lists = [
      client.lookupMany('🔥' as never),
      client.lookup('🔥', { tags: '0x1003' as never }),
    ]
    for (const list of lists) {
      expect(await thrownBy(list)).toMatchObject({ code: 'invalid_request' })
    }
    expect(requests).toEqual([])
  })
})

it.each(['', '.', '..'])('%j is no part of a path', async (id) => {
  const { api, fetch, requests } = fakeService(() => json({}))
  const client = createClient({ api, fetch, apiKey: 'key' })
  const error = await thrownBy(client.api.orders.getOrder({ path: { id } }))
  expect(error).toMatchObject({ code: 'invalid_request' })
  expect(requests).toEqual([])
})

describe('an error that is not about the id', () => {
  afterEach(() => void vi.restoreAllMocks())
  it('an error that is not about the id is thrown as it is', () => {
    const fault = new RangeError('Out of memory')
    vi.spyOn(String.prototype, 'codePointAt').mockImplementation(() => {
      throw fault
    })
    expect(() => parseId('🔥')).toThrow(fault)
    expect(() => parseTypedId('🔥')).toThrow(fault)
  })
})
