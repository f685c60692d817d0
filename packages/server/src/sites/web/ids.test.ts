import { sheetPath } from '@emojid/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../test/support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../../../test/support/people.ts'
import { sendRaw } from '../../../test/support/raw.ts'
import type { TestService } from '../../../test/support/service.ts'
import { sharedService } from '../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
})

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const otherBitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const pathOf = (id: string, rest = '') => `/${encodeURIComponent(id)}${rest}`
const open = (id: string, rest = '') => service.get(pathOf(id, rest))
const titleOf = ({ body }: { body: string }) => /<title>([^<]*)/.exec(body)?.[1]
const idWith = async (insert: { tag: string; data: string }[] = []) => {
  const id = await grant(admin, { user_id: anna.id })
  if (insert.length > 0) expect((await anna.patch(at(id), { insert })).status).toBe(200)
  return id
}
const store = async (id: string, key: string, data: unknown) =>
  expect((await anna.post(at(id, `/json/${key}`), { data })).status).toBe(200)

/** Picture addresses from before they were checked. */
const storeBefore = (emoji_id: string, value: unknown) => {
  const data = JSON.stringify(value)
  return service.db
    .insertInto('store_entries')
    .values({ emoji_id, key: 'VisualizerFileLocations', data, updated_at: new Date() })
    .onConflict((conflict) => conflict.columns(['emoji_id', 'key']).doUpdateSet({ data }))
    .execute()
}

/** Sends the target unchanged: other clients normalize dots and backslashes. */
async function askFor(target: string) {
  const head = 'Host: localhost\r\nConnection: close'
  const { status, text } = await sendRaw(service.port, `GET ${target} HTTP/1.1\r\n${head}\r\n\r\n`)
  return { status, location: /^location: (.*)$/im.exec(text)?.[1]?.trim(), text }
}

describe('a mistyped address', () => {
  const searchLink = /class="button" href="([^"]*)"/
  it('offers the usable emojis of a short text, and none of a long one', async () => {
    const offered = async (text: string) => searchLink.exec((await open(text)).body)?.[1]
    expect(await offered('x🔥🐍')).toContain(`?q=${encodeURIComponent('🔥🐍')}`)
    for (const start of ['x', '.', ' ']) {
      const long = `${start.repeat(3_000)}🔥🐍`
      const answer = await open(long)
      expect([answer.status, await offered(long)]).toEqual([400, `${service.webUrl}/`])
      const found = await service.get(`/find?q=${encodeURIComponent(long)}`)
      expect(found.status).toBe(start === 'x' ? 400 : 303)
    }
  })

  it('offers close names of a short text, and is no name if it is long', async () => {
    expect((await service.get('/fire.snak')).body).toContain('Did you mean')
    const words = Array(2_000).fill('fire')
    expect((await service.get(`/${words.join('.')}.snak`)).status).toBe(404)
    const found = await service.get(`/find?q=${words.join(',')}`)
    expect([found.status, found.body.includes('Did you mean')]).toEqual([400, false])
  })
})

it('the search form reads the DNS label of an id in any letter case, and refuses a malformed one', async () => {
  const find = (text: string) => askFor(`/find?q=${text}`)
  for (const label of ['xn--4n8hpr', 'XN--4N8HPR']) {
    const { status, location } = await find(label)
    expect([status, decodeURIComponent(location ?? '')]).toEqual([303, `${service.webUrl}/🔥🐍`])
  }
  for (const label of ['xn--', 'xn--snake', `xn--${'a'.repeat(3_000)}`])
    expect((await find(label)).status).toBe(400)
})

it('an encoding with blanks around its quality is read, and a long list of encodings is not', async () => {
  const id = await idWith()
  const encodingOf = async (accepted: string) => {
    const { headers } = await service.get(pathOf(id), { headers: { 'accept-encoding': accepted } })
    return headers.get('content-encoding')
  }
  expect(await encodingOf('br ; q=0 , gzip ;q=0.5')).toBe('gzip')
  expect(await encodingOf(`br${','.repeat(199)}`)).toBeNull()
})

describe('an id with a redirect', () => {
  let id: string
  beforeAll(async () => {
    id = await idWith()
  })
  let link: string
  const leadTo = async (data: string) => {
    if (data === link) return
    expect((await anna.patch(at(id), { insert: [{ tag: '0x0004', data }] })).status).toBe(200)
    link = data
  }

  it.each([
    ['https://example.com', '', 'https://example.com/'],
    ['https://example.com/shop', '/a/b', 'https://example.com/shop/a/b'],
    ['https://example.com/shop/', '/a', 'https://example.com/shop/a'],
    ['https://example.com/shop', '/a%2Fb%3F', 'https://example.com/shop/a%2Fb%3F'],
    ['https://example.com/shop', '?x=1&y=%26', 'https://example.com/shop?x=1&y=%26'],
    ['https://example.com/shop?from=id', '/a?x=1', 'https://example.com/shop/a?from=id&x=1'],
    ['https://example.com/shop#top', '/a?x=1', 'https://example.com/shop/a?x=1#top'],
    ['https://example.com', '//evil.example/x', 'https://example.com//evil.example/x'],
    ['https://example.com', '/\\\\evil.example', 'https://example.com///evil.example'],
    ['https://example.com', '/%5C%5Cevil.example', 'https://example.com/%5C%5Cevil.example'],
    ['https://example.com', '/@evil.example', 'https://example.com/@evil.example'],
    ['https://example.com:8443', '/:80/x', 'https://example.com:8443/:80/x'],
    ['http://example.com/a', '/https://evil.example', 'http://example.com/a/https://evil.example'],
    ['https://example.com/a', '/b/../c/%2E/d', 'https://example.com/a/c/d'],
  ])('redirects %s with “%s” to %s', async (path, rest, target) => {
    await leadTo(path)
    const { status, location, text } = await askFor(pathOf(id, rest))
    expect({ status, location }).toEqual({ status: 303, location: target })
    expect(text).toContain('cache-control: public, no-cache')
  })

  it.each(['/../admin', '/%2e%2e/admin', '/a/%2e%2e/%2E%2E/admin', '/.%2e', '/..\\x', '/..'])(
    'does not lead to another part of the same site: %s',
    async (rest) => {
      await leadTo('https://example.com/users/anna')
      const { status, location } = await askFor(pathOf(id, rest))
      expect({ status, location }).toEqual({ status: 404, location: undefined })
    },
  )

  it('never redirects to the old target after the change was confirmed', async () => {
    await leadTo('https://old.example.com')
    for (const name of ['one', 'two', 'three']) {
      const data = `https://${name}.example.com/`
      await anna.patch(at(id), { insert: [{ tag: '0x0004', data }] })
      expect((await open(id)).headers.get('location')).toBe(data)
    }
    const [record] = (await anna.get(at(id))).json<{ result: { hash: string }[] }>().result
    await anna.patch(at(id), { delete: [record?.hash] })
    expect((await open(id)).status).toBe(200)
  })

  it('an id with a redirect does not redirect at another host', async () => {
    await leadTo('https://example.com')
    const { location } = await askFor(`http://evil.example${pathOf('🔥🐍', '/')}`)
    expect(location ?? service.webUrl).toContain(service.webUrl)
  })
})

describe('every spelling of an id', () => {
  it.each([
    ['tones', '/%F0%9F%91%8B%F0%9F%8F%BD%F0%9F%8C%B4', '👋🌴'],
    ['a missing selector', '/%E2%9D%A4%F0%9F%94%A5', '❤️🔥'],
    ['a text selector', '/%E2%9D%A4%EF%B8%8E', '❤️'],
    ['small hex digits', '/%f0%9f%94%a5%f0%9f%90%8d', '🔥🐍'],
    ['names', '/fire.snake', '🔥🐍'],
    ['a DNS label', '/xn--4n8hpr', '🔥🐍'],
    ['names in capitals', '/FIRE.Snake', '🔥🐍'],
    ['one name', '/fire', '🔥'],
    ['an encoded dot', '/fire%2Esnak%65', '🔥🐍'],
    ['a slash at the end', '/%F0%9F%94%A5%F0%9F%90%8D/', '🔥🐍'],
  ])('redirects to the canonical address of the id: %s', async (_how, path, id) => {
    const answer = await service.get(path)
    expect(answer.status).toBe(308)
    expect(answer.headers.get('location')).toBe(`${service.webUrl}${pathOf(id)}`)
  })

  it.each(['/fire.snake/a%2Fb/?x=1&y', '/%f0%9f%94%a5%f0%9f%90%8d/a%2Fb/?x=1&y'])(
    'keeps the path and the query: %s',
    async (path) => {
      expect((await service.get(path)).headers.get('location')).toBe(
        `${service.webUrl}${pathOf('🔥🐍', '/a%2Fb/?x=1&y')}`,
      )
    },
  )
})

describe('a text that is no id', () => {
  it.each([
    ['a letter', '🔥A🐍', '“A” at position 2 is not an emoji'],
    ['an emoji that ids do not use', '🔥🫠', '🫠 at position 2'],
    ['a joined emoji', '❤️‍🔥', 'invisible joiner at position 2'],
    ['a flag', '🇩🇪', 'There is a flag at position 1'],
    ['too many emojis', '🔥🔥🔥🔥🔥🔥🔥', 'at most 6 emojis'],
    ['a tone on the wrong emoji', '🐍🏽', 'can’t have a skin tone'],
    ['an encoded slash', '🔥/🐍', '“/” at position 2'],
  ])('explains the fault: %s', async (_what, text, message) => {
    const answer = await open(text)
    expect(answer.status).toBe(400)
    expect(answer.body).toContain(message)
  })

  it('offers to search with the rest, but not with parts of a joined emoji', async () => {
    const offer = `href="${service.webUrl}/?q=${encodeURIComponent('🔥🐍')}"`
    expect((await open('🔥A🐍')).body).toContain(offer)
    expect((await open('❤️‍🔥')).body).not.toContain('?q=')
  })

  it('suggests names with the same beginning', async () => {
    const answer = await service.get('/fire.snak')
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('“snak” is not the name of an emoji')
    expect(answer.body).toContain(`/?q=${encodeURIComponent('🔥🐍')}`)
  })

  it.each(['/nothing', '/humans.txt', '/favicon.gif', '/.env', '/wp-login.php', '/a/b', '/cart/x'])(
    'answers 404 to a text that is not meant as an id: %s',
    async (path) => {
      const answer = await service.get(path)
      expect(answer.status).toBe(404)
      expect(titleOf(answer)).toBe('Page not found')
    },
  )
})

describe('an unregistered id', () => {
  it('an unregistered id can be bought for the catalog price', async () => {
    const id = newId()
    const search = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    const { price } = search.json<{ result: { price: number } }>().result
    const answer = await open(id)

    expect(answer.status).toBe(404)
    expect(titleOf(answer)).toBe('This emoji id is available')
    expect(answer.body).toContain(`Get it for $${(price / 100).toLocaleString('en-US')}`)
    expect(answer.body).toContain(`href="${service.webUrl}/?q=${encodeURIComponent(id)}"`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('an unregistered id is not offered if it is not for sale', async () => {
    const answer = await open('🔥')
    expect(answer.status).toBe(404)
    expect(answer.body).toContain('isn’t for sale right now')
    expect(answer.body).not.toContain('Get it')
  })

  it('an unregistered id has no page after its owner released it', async () => {
    const id = await idWith([{ tag: '0x1003', data: bitcoin }])
    expect((await open(id)).status).toBe(200)
    expect((await anna.delete(at(id))).status).toBe(200)
    expect((await open(id)).status).toBe(404)
  })
})

describe('the page of an id', () => {
  it('the page of an id shows each address in full, as stored', async () => {
    const { body } = await open('🔥🐍')
    for (const address of [bitcoin, ether]) {
      expect(body.replaceAll('</span><span>', '')).toContain(`<span>${address}</span>`)
    }
    expect(body).toContain(`href="bitcoin:${bitcoin}"`)
    expect(body).toContain(`href="ethereum:${ether}@1"`)
    expect(body).toMatch(/Last changed <time datetime="20/)
  })

  it('says how far each address is verified: we write the checksum of Ethereum addresses', async () => {
    const body = (await open('🔥🐍')).body.replaceAll('</span><span>', '')
    const verdictOf = (address: string) => body.split(`${address}</span></code>`)[1]?.trim()
    expect(verdictOf(bitcoin)).toMatch(/^<p class="verdict good">The checksum is correct/)
    expect(verdictOf(ether)).toMatch(/^<p class="verdict fair">The format is correct/)
  })

  it('the page of an id shows the one address that receives payments, with the name of its wallet', async () => {
    const body = (await open('👋🌴')).body.replaceAll('</span><span>', '')
    expect(body).toContain('Everyday')
    expect(body).not.toContain('Savings')
    expect(body).not.toContain(otherBitcoin)
  })

  it('the page of an id shows a new address on the next request, and answers 304 only while nothing changed', async () => {
    const id = await idWith([{ tag: '0x1003', data: bitcoin }])
    const first = await open(id)
    const etag = first.headers.get('etag') ?? ''
    const revalidate = () => service.get(pathOf(id), { headers: { 'if-none-match': etag } })
    expect(first.headers.get('cache-control')).toBe('public, no-cache')
    const unchangedAnswer = await revalidate()
    expect(unchangedAnswer.status).toBe(304)
    const policy = 'content-security-policy'
    expect(unchangedAnswer.headers.get(policy)).toBe(first.headers.get(policy))

    await anna.patch(at(id), { insert: [{ tag: '0x1003', data: otherBitcoin }] })
    const changeAnswer = await revalidate()
    expect(changeAnswer.status).toBe(200)
    expect(changeAnswer.body).toContain(`href="bitcoin:${otherBitcoin}"`)
    expect(changeAnswer.body).not.toContain(bitcoin)

    await store(id, 'SvcPageData', { title: 'New title' })
    expect(titleOf(await open(id))).toBe(`${id} New title`)
  })

  it('names no network for an address valid on several, and offers no wallet link', async () => {
    const id = await idWith([{ tag: '0x1011', data: ether }])
    const { body } = await open(id)
    expect(body).toContain('USDT is paid on several networks: Ethereum, BNB Smart Chain')
    expect(body).not.toContain('Open in wallet')
  })

  it('sets no cookie, and allows our own scripts only', async () => {
    const { headers } = await open('🔥🐍')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect((await open(newId())).headers.get('content-security-policy')).not.toContain('script')
  })

  it('answers 404 below its address, unless it redirects', async () => {
    const answer = await open('🔥🐍', '/nothing')
    expect(answer.status).toBe(404)
    expect(answer.body).toContain(`href="${service.webUrl}${pathOf('🔥🐍')}"`)
  })

  it('describes the id for link previews, with absolute addresses', async () => {
    const { body } = await open('🔥🐍')
    const tag = (name: string) => new RegExp(`"${name}" content="([^"]*)"`).exec(body)?.[1]
    expect(tag('og:url')).toBe(`${service.webUrl}${pathOf('🔥🐍')}`)
    expect(tag('og:title')).toBe('🔥🐍 Fire Snake')
    expect(tag('twitter:description')).toBe('Pay me in Bitcoin, Ether, Monero or USDC.')
    expect(tag('og:image')).toBe(`${service.webUrl}/art/ids${pathOf('🔥🐍')}.png`)
  })

  it("uses the owner's picture for link previews, if there is one", async () => {
    const id = await idWith()
    const image = 'https://pictures.example.com/anna.png'
    await store(id, 'VisualizerFileLocations', { image })
    expect((await open(id)).body).toContain(`<meta property="og:image" content="${image}">`)
    await storeBefore(id, { image: 'javascript:alert(1)' })
    expect((await open(id)).body).not.toContain('javascript:')
  })
})

describe('data that an owner stores', () => {
  let id: string
  beforeAll(async () => {
    id = await idWith([{ tag: '0x4001', data: 'https://example.com/record' }])
  })
  const shapes: unknown[] = [
    null,
    0,
    true,
    '',
    'text',
    [],
    {},
    [[[]]],
    { title: {} },
    { title: [], text: 7 },
    { links: 'no' },
    { links: [null, 1, { url: {} }, { url: 'nothing' }] },
    { title: '   ', text: '\n', links: { a: { b: { c: [{ d: null }] } } } },
    { toString: 1, valueOf: null, title: 3 },
  ]
  it.each(shapes.map((data) => [JSON.stringify(data), data]))(
    'does not break the page: %s',
    async (_text, data) => {
      await store(id, 'SvcPageData', data)
      await store(id, 'SvcLinkData', data)
      await storeBefore(id, data)
      const answer = await open(id)
      expect(answer.status).toBe(200)
      expect(answer.body).not.toMatch(/undefined|\[object/)
    },
  )

  it('links to the web only, wherever links stand (T104)', async () => {
    const wrong = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '//evil.example',
      '/relative',
      'https://a:b@c.example',
      'java\nscript:alert(1)',
      'https://evil.example/\u0007',
      'https:\\\\evil.example',
      'blob:x',
    ]
    await store(id, 'SvcLinkData', {
      links: [...wrong, ...wrong.map((url) => ({ name: 'wrong', url }))],
      other: { deep: [{ title: 'Shop', href: 'https://shop.example.com/?a=1&b=2' }] },
    })
    const { body } = await open(id)
    const links = [...body.matchAll(/<li><a href="([^"]*)"/g)].map(([, href]) => href)
    expect(links).toEqual(['https://shop.example.com/?a=1&#38;b=2', 'https://example.com/record'])
  })

  it('data that an owner stores is escaped, whatever it looks like (T104)', async () => {
    const data = `${bitcoin}|<img src=x onerror=alert(1)>`
    expect((await anna.patch(at(id), { insert: [{ tag: '0x1003', data }] })).status).toBe(200)
    const attack = '"><script>alert(1)</script><svg onload=alert(1)>'
    await store(id, 'SvcPageData', { title: attack, text: `</title></style>${attack}` })
    await store(id, 'SvcLinkData', [{ name: attack, url: 'https://example.com/"><script>' }])
    const { body } = await open(id)
    expect(body).not.toMatch(/<script>|<svg onload|<img src=x/)
    expect(body.match(/<script/g)).toHaveLength(1)
    expect(body.match(/<\/title>|<\/style>/g)).toHaveLength(3)
  })
})

describe('text that imitates something else', () => {
  it('text that imitates something else is shown in its logical order', async () => {
    const id = await idWith([{ tag: '0x1003', data: bitcoin }])
    const name = 'photo\u202Egnp.exe'
    await store(id, 'SvcPageData', { title: `\u2067${name}`, text: name })
    await store(id, 'SvcLinkData', [{ name, url: 'https://example.com/' }])
    const { body } = await open(id)
    expect(body).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/)
    expect(body).toContain('<bdi>photognp.exe</bdi>')
  })

  it('text that imitates something else is not offered in place of an id that is too long', async () => {
    const { status, body } = await open('🔥'.repeat(9))
    expect(status).toBe(400)
    expect(body).toContain('Search for an id')
    expect(body).not.toContain('Search with the rest')
    expect(body).toContain('<mark><span class="emoji-id"')
  })
})

describe('a broken address', () => {
  const inBrowser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  it.each([
    ['cut in the middle', '/%F0%9F', 400],
    ['far too long', `/${encodeURIComponent('🔥'.repeat(2_000))}`, 431],
  ])('a broken address gets a page, and JSON for programs: %s', async (_name, path, status) => {
    const page = await service.get(path, inBrowser)
    expect(page.status).toBe(status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.body).toContain(`href="${service.webUrl}"`)
    const response = await service.get(path, { headers: { accept: 'application/json' } })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ])
    const atApi = await service.get(`/api${path}`, inBrowser)
    expect(atApi.headers.get('content-type')).toContain('application/json')
  })
})

describe('other addresses', () => {
  it.each([
    ['/', 200, 'text/html'],
    ['/sign-in', 200, 'text/html'],
    ['/api/nothing', 404, 'application/json'],
    ['/api/emoji_id/%F0%9F%94%A5%F0%9F%90%8D', 200, 'application/json'],
    ['/api/%F0%9F%94%A5', 404, 'application/json'],
    ['/api/fire.snake', 404, 'application/json'],
    ['/auth', 200, 'text/html'],
    ['/auth/%F0%9F%94%A5', 404, 'text/html'],
    ['/art/1f525.svg', 200, 'image/svg+xml'],
    [sheetPath('animals'), 200, 'image/webp'],
    [sheetPath('tone-3'), 200, 'image/webp'],
    [sheetPath('nothing'), 404, 'text/html'],
    [sheetPath('..%2F1f525'), 404, 'text/html'],
    ['/art/sheets/00000000/animals.webp', 404, 'text/html'],
    ['/art/1f525.gif', 404, 'text/html'],
    ['/health/ready', 200, 'application/json'],
  ])('other addresses are not hidden by ids: %s', async (path, status, type) => {
    const answer = await service.get(path)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toContain(type)
  })

  it('answer HEAD with the headers of GET', async () => {
    const [head, page] = [await service.call('HEAD', pathOf('🔥🐍')), await open('🔥🐍')]
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers.get('etag')).toBe(page.headers.get('etag'))
  })

  it('reject POST', async () => {
    for (const path of ['/fire.snake', pathOf('🔥🐍')]) {
      const { status, headers } = await service.post(path)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('serve the page script under the hash of its content', async () => {
    const source = /<script src="([^"]+)"/.exec((await open('🔥🐍')).body)?.[1] ?? ''
    expect(source).toMatch(/^\/assets\/id-[0-9a-f]{16}\.js$/)
    const script = await service.get(source)
    expect(script.headers.get('content-type')).toContain('text/javascript')
    expect(script.headers.get('cache-control')).toContain('immutable')
  })
})
