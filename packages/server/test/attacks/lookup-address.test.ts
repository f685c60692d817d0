import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerAs } from '../support/people.ts'
import { sendRaw } from '../support/raw.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedService()
})

type Vector = { name: string; percent: string; canonical?: string; error?: string }
const corePackage = createRequire(import.meta.url).resolve('@emojid/core/package.json')
const { vectors }: { vectors: Vector[] } = JSON.parse(
  readFileSync(join(dirname(corePackage), 'test-vectors/id-vectors.json'), 'utf8'),
)

/** The exact path: clients that normalize it would hide the tested cases. */
async function rawGet(path: string) {
  const { text, status } = await sendRaw(
    service.port,
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  )
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  return { status, body: body.startsWith('{') ? JSON.parse(body) : body }
}

describe('every spelling of an id in a path', () => {
  // Names have tests of their own.
  const carriedVectors = vectors.filter(
    ({ name, percent }) => /^[\x20-\x7e]*$/.test(percent) && name !== 'text: shortname',
  )
  it.each(carriedVectors)('$name', async ({ percent, canonical, error }) => {
    const metadata = await rawGet(`/api/emoji_id/${percent}/metadata`)
    const lookup = await rawGet(`/api/emoji_id/${percent}`)

    if (error) {
      expect(lookup.status).toBe(400)
      expect(metadata.status).toBe(400)
      expect(Object.keys(lookup.body)).toEqual(['error'])
    } else {
      expect(metadata.body.pattern.original).toBe(canonical)
      expect([200, 404]).toContain(lookup.status)
    }
  })
})

describe('a name or a DNS label of an id', () => {
  const id = '🔥🐍'
  const right = `/api/emoji_id/${encodeURIComponent(id)}`
  const rests = [
    '',
    '?tags=0x1003',
    '/BTC',
    '/payment',
    '/payment?token=USDC&network=ETH',
    '/metadata',
    '/rhythm',
    '/proof',
    '/history',
    '/json?keys=SvcPageData,SvcLinkData',
    '/json/SvcPageData',
  ]

  it.each(rests)(
    'a name or a DNS label of an id gets the answer of the id, which it names: %s',
    async (rest) => {
      const expected = await service.get(`${right}${rest}`)
      expect(expected.status).toBe(200)
      for (const name of ['fire.snake', 'FIRE.Snake', '%66ire.snake', 'xn--4n8hpr', 'XN--4n8hpr']) {
        const { status, body, headers } = await service.get(`/api/emoji_id/${name}${rest}`)
        expect([status, body]).toEqual([200, expected.body])
        expect(headers.get('etag')).toBe(expected.headers.get('etag'))
        expect(headers.get('content-location')).toBe(`${right}${rest}`)
      }
    },
  )

  it('a name or a DNS label of an id is read in queries, batches and watches', async () => {
    const search = (text: string) => service.get(`/api/emoji_id/search?emoji_id=${text}`)
    expect((await search('fire.snake')).json()).toMatchObject({
      result: { emoji_id: id },
    })
    const emoji_ids = ['fire.snake', 'xn--4n8hpr', '🌴🔥🐍🌴', 'palm_tree', id]
    const { data } = (await service.post('/api/emoji_id/lookup', { emoji_ids })).json<{
      data: { emoji_id: string; canonical_format?: string; error: { code: string } | null }[]
    }>()
    expect(data.map(({ error }) => error?.code)).toEqual([
      undefined,
      'repeated',
      '404',
      '400',
      'repeated',
    ])
    expect(data[0]).toMatchObject({ emoji_id: 'fire.snake', canonical_format: id })
    const watch = (texts: string[]) => service.post('/api/events/watch', { emoji_ids: texts })
    expect((await watch(['fire.snake', 'xn--4n8hpr'])).status).toBe(200)
    expect((await watch(['fire.snak'])).status).toBe(400)
  })

  it.each(['admin', '_dmarc', 'fire.snak', 'fire..snake', 'xn--', 'xn--a', 'fire.'.repeat(400)])(
    'that means no id is refused: %s',
    async (name) => {
      for (const rest of ['', '/payment', '?tags=0x1003']) {
        const answer = await service.get(`/api/emoji_id/${name}${rest}`)
        expect(answer.status).toBe(400)
        expect(Object.keys(answer.json())).toEqual(['error'])
      }
    },
  )

  it('a name or a DNS label of an id does not register an id, which is typed in emojis', async () => {
    const admin = await registerAs(service, 'Admin')
    const grantOf = (emoji_id: string) =>
      admin.post('/api/admin/emoji_ids', { emoji_id, user_id: admin.id })
    expect((await grantOf('fire.fire.snake')).status).toBe(400)
    const cart = await admin.post('/api/cart', { items: [{ emoji_id: 'fire.fire.snake' }] })
    expect(cart.status).toBe(400)
  })
})

describe('a path without a valid id', () => {
  const fire = '%F0%9F%94%A5'
  it.each([
    ['upper and lower case hex mixed with text', `${fire}%f0%9f%90%8dx`],
    ['encoded twice', '%25F0%259F%2594%25A5'],
    ['NUL', `${fire}%00`],
    ['an encoded slash', `${fire}%2F${fire}`],
    ['dots', '..'],
    ['encoded dots', '%2e%2e'],
    ['an overlong encoding', '%F0%82%82%AC'],
    ['a lone surrogate', '%ED%A0%BD'],
    ['not percent-encoding', '%ZZ'],
    ['a cut off sequence', '%F0%9F%94'],
    ['raw text', 'käse'],
    ['raw UTF-8 bytes, which HTTP does not carry', '\u{1F525}'],
    ['seven emojis', fire.repeat(7)],
    ['sixty emojis', fire.repeat(60)],
    ['600 emojis', fire.repeat(600)],
    ['no emoji', ''],
    ['a space', `${fire}%20`],
    ['a plus', `${fire}+`],
    ['a tone where none may stand', `${fire}%F0%9F%8F%BD`],
    ['joined emojis', '%E2%9D%A4%EF%B8%8F%E2%80%8D%F0%9F%94%A5'],
    ['an override of direction', `%E2%80%AE${fire}`],
  ])('a path without a valid id gets 400 with exactly one member: %s', async (_what, segment) => {
    for (const rest of ['', '?tags=0x1003']) {
      const { status, body } = await rawGet(`/api/emoji_id/${segment}${rest}`)
      expect(status).toBe(400)
      expect(Object.keys(body)).toEqual(['error'])
    }
  })

  it('a path without a valid id gets 404 for a valid id without an owner, with hex digits in either case', async () => {
    expect((await rawGet(`/api/emoji_id/${fire}`)).status).toBe(404)
    expect((await rawGet(`/api/emoji_id/${fire.toLowerCase()}`)).status).toBe(404)
  })
})

describe('text with special characters for the database', () => {
  const attacks = [
    "' OR 1=1--",
    '%',
    '_',
    '\\',
    "';drop table emoji_ids;--",
    '$1',
    '\u{1F525}',
    'a'.repeat(5_000),
  ]
  const id = encodeURIComponent('🔥🐍')
  const places: [string, (text: string) => string][] = [
    ['an id', (text) => `/api/emoji_id/${text}`],
    ['a ticker', (text) => `/api/emoji_id/${id}/${text}`],
    ['tags', (text) => `/api/emoji_id/${id}?tags=${text}`],
    ['payment tags', (text) => `/api/emoji_id/${id}/payment?tags=${text}`],
    ['a token', (text) => `/api/emoji_id/${id}/payment?token=${text}&network=ETH`],
    ['a network', (text) => `/api/emoji_id/${id}/payment?token=USDC&network=${text}`],
    ['store keys', (text) => `/api/emoji_id/${id}/json?keys=${text}`],
    ['a store key', (text) => `/api/emoji_id/${id}/json/${text}`],
    ['a link', (text) => `/api/redirect?emoji_id=${id}&link=${text}`],
    ['an id of a link', (text) => `/api/redirect?emoji_id=${text}&link=https://example.com`],
  ]

  it.each(places)('in %s is treated as data', async (_where, path) => {
    for (const attack of attacks) {
      const { status } = await service.get(path(encodeURIComponent(attack)))
      expect([200, 400, 404]).toContain(status)
    }
    expect((await service.get(`/api/emoji_id/${id}`)).status).toBe(200)
  })

  it('in a batch affects no other id', async () => {
    const { status, json } = await service.post('/api/emoji_id/lookup', {
      emoji_ids: [...attacks, '🔥🐍'],
    })
    const { data } = json() as { data: { status: boolean }[] }

    expect(status).toBe(200)
    expect(data.at(-1)).toMatchObject({ status: true })
  })
})

describe('repeated parameters', () => {
  it('repeated parameters are rejected or read, without a 5xx', async () => {
    const id = encodeURIComponent('🔥🐍')
    const paths = [
      `/api/emoji_id/${id}?tags=0x1003&tags=0x1004`,
      `/api/emoji_id/${id}/payment?token=USDC&token=DAI&network=ETH`,
      `/api/redirect?emoji_id=${id}&emoji_id=${id}&link=x`,
    ]
    const statuses = await Promise.all(paths.map(async (path) => (await service.get(path)).status))
    expect(statuses.every((status) => status < 500)).toBe(true)
  })
})
