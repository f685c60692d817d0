import { type AddressInfo, createServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/platform/outside/addresses.ts'
import { createPageFetcher } from '../../src/platform/outside/fetch-page.ts'
import { allowPorts, namesOf, webServer } from '../support/outside.ts'
import { bearer, newcomer } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'

const html = { 'content-type': 'text/html' }
const titled = '<title>Reached</title>'
const pageNames = {
  'pages.example.com': ['93.184.216.34'],
  'inner.example.com': ['10.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'self.example.com': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'local.example.com': ['fd00::1'],
  'nat.example.com': ['64:ff9b::7f00:1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'odd.example.com': ['not an address'],
  localhost: ['127.0.0.1'],
  'localhost.': ['127.0.0.1'],
}
type Handler = Parameters<typeof webServer>[0]
type Site = Awaited<ReturnType<typeof webServer>>

/** A third-party web site controlled by the test. */
let site: Site
/** An internal server. */
let inner: Site
let handle: Handler
/** A server that sends arbitrary bytes on request. */
let rawResponse = ''
const raw = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', () => socket.end(rawResponse, 'latin1'))
})
const rawAddress = () => `127.0.0.1:${(raw.address() as AddressInfo).port}`
/** The next DNS answers in order. Empty: the default answer. */
let answers: string[][] = []
let resolveCount = 0
/** The production rules, and rules that allow the test's site. */
let strict: TestService
let service: TestService
beforeAll(async () => {
  site = await webServer((request, response) => handle(request, response))
  inner = await webServer((_request, response) => response.writeHead(200, html).end(titled))
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const lookupNames = namesOf({ ...pageNames, 'site.example.com': ['127.0.0.1'] })
  const resolve: typeof lookupNames = (name, signal) =>
    answers.length > 0 ? Promise.resolve(answers[resolveCount++] ?? []) : lookupNames(name, signal)
  const reachable = allowPorts(site.port, (raw.address() as AddressInfo).port)
  service = await testService({ outside: { ...reachable, resolve, patienceMs: 60_000 } })
  strict = await testService({
    databaseUrl: String(service.database?.url),
    outside: { resolve, patienceMs: 1_500, leastRefusalMs: 0 },
  })
})
afterAll(async () => {
  await strict.close()
  await service.close()
  await site.close()
  await inner.close()
  await new Promise((resolve) => raw.close(resolve))
})

type Headers = Record<string, string>
const callers = new Map<TestService, { token: string; calls: number }>()
/** A user may call 30 times a minute: switches the user after 25 calls. */
const callerAt = async (by: TestService) => {
  const knownCaller = callers.get(by)
  if (knownCaller && knownCaller.calls++ < 25) return knownCaller.token
  const token = (await newcomer(by)).tokens.access_token
  callers.set(by, { token, calls: 1 })
  return token
}
const scrape = async (by: TestService, data: string, headers: Headers = {}) => {
  const credentials = { headers: { ...bearer(await callerAt(by)).headers, ...headers } }
  return by.post('/api/proxy', { service: 'Scraper', data }, credentials)
}
const refusal = {
  code: 'unreadable_page',
  request_id: expect.any(String),
  error: expect.any(String),
  fields: { data: [{ code: 'unreadable_page', message: expect.any(String) }] },
}
const expectRefused = (answer: Awaited<ReturnType<typeof scrape>>) => {
  expect([answer.status, answer.json()]).toEqual([422, refusal])
}
const visit = async (does: Handler, path = '/') => {
  handle = does
  return scrape(service, `${site.address}${path}`)
}

describe('a page that is not public (T108)', () => {
  it.each([
    'http://127.0.0.1/',
    'https://127.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://127.0.0.1./',
    'http://①②⑦.⓪.⓪.①/',
    'http://127。0。0。1/',
    'http://%31%32%37.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://LOCALHOST/',
    'http://ⓛocalhost/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://168.63.129.16/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fe80::1%25eth0]/',
    'http://[fe80::1%eth0]/',
    'http://[::1%251]/',
    ...Object.keys(pageNames)
      .filter((name) => name !== 'pages.example.com')
      .map((name) => `http://${name}/`),
    'http://unknown.example.com/',
    'http://a..b/',
    'http://intranet/',
    'http://-/',
    'http://pages.example.com:22/',
    'http://pages.example.com:8080/',
    'https://pages.example.com:80/',
    'http://pages.example.com:443/',
    'http://pages.example.com:0/',
    'http://pages.example.com:65536/',
    'http://user:secret@pages.example.com/',
    'http://user@pages.example.com/',
    'http://pages.example.com@127.0.0.1/',
    'http://pages.example.com\\@127.0.0.1/',
    'http://127.0.0.1#@pages.example.com/',
    'http:\\\\127.0.0.1\\',
    'http:127.0.0.1',
    'ftp://pages.example.com/',
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_INFO',
    'javascript:alert(1)',
    'data:text/html,<title>x</title>',
    'blob:http://pages.example.com/x',
    'ws://pages.example.com/',
    'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    '',
    ' ',
    'x',
    '//pages.example.com',
    'pages.example.com',
    'http://',
    'http:///',
    'https:?',
    'http://exa mple.com/',
    'http://pages.example.com/a b',
    'http://pages.example.com/\r\nX: y',
    'http://pages.example.com\t/',
    'http://%00/',
    'http://%0d%0a/',
    'http://🦀🦀/',
    'http://xn--/',
    "' OR 1=1--",
    '%',
    '_',
    '\\',
    `http://pages.example.com/${'x'.repeat(2_048)}`,
    `http://${'a'.repeat(64)}.example.com/`,
    `http://${'a.'.repeat(200)}com/`,
  ])('a page that is not public (T108) is not read at %s', async (address) => {
    expectRefused(await scrape(strict, address))
  })

  it('a page that is not public (T108) is not read at the port of a running server, ours included', async () => {
    const before = inner.asked.length
    const ports = [inner.port, strict.port]
    const hosts = ['127.0.0.1', 'localhost', 'self.example.com', '[::ffff:127.0.0.1]', '2130706433']
    for (const port of ports) {
      for (const host of hosts) {
        expectRefused(await scrape(strict, `http://${host}:${port}/health/live`))
      }
    }
    expect(inner.asked.length).toBe(before)
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '127.0.0.1.',
    '0',
    '①②⑦.⓪.⓪.①',
    '[::ffff:127.0.0.1]',
    'localhost',
    'localhost.',
    'self.example.com',
  ])(
    'a page that is not public (T108) is not read at %s, which is reachable without the address rule',
    async (host) => {
      const address = `http://${host}:${inner.port}/`
      const options = { resolve: namesOf(pageNames), patienceMs: 60_000, leastRefusalMs: 0 }
      const unrestrictedFetcher = createPageFetcher({ ...options, mayReach: () => true })
      const publicOnly = createPageFetcher({ ...options, mayReach: isPublicAddress })
      expect(await unrestrictedFetcher(address)).toMatchObject({ bytes: Buffer.from(titled) })
      const before = inner.asked.length
      expect(await publicOnly(address)).toBeUndefined()
      expect(inner.asked.length).toBe(before)
    },
  )

  it('every refusal takes the minimal time, for any reason', async () => {
    const leastRefusalMs = 600_000
    const since = performance.now()
    /** From the start of the test to the end of each pause. */
    const refusalTimes: number[] = []
    let endPauses = () => {}
    const pauseEnd = new Promise<void>((resolve) => {
      endPauses = resolve
    })
    const pause = (ms: number) => {
      refusalTimes.push(performance.now() - since + ms)
      return pauseEnd
    }
    const resolve = namesOf(pageNames)
    const fetchPage = createPageFetcher({ ...allowPorts(1), resolve, leastRefusalMs, pause })
    const addresses = [
      'http://127.0.0.1/',
      'http://127.0.0.1:1/',
      'http://inner.example.com/',
      'http://unknown.example.com/',
      `http://127.0.0.1:${inner.port}/`,
      'nonsense',
    ]
    let refusedCount = 0
    const all = Promise.all(
      addresses.map(async (address) => {
        expect(await fetchPage(address)).toBeUndefined()
        refusedCount++
      }),
    )
    await expect.poll(() => refusalTimes.length).toBe(addresses.length)
    expect(refusedCount).toBe(0)
    expect(Math.min(...refusalTimes)).toBeGreaterThanOrEqual(leastRefusalMs)
    endPauses()
    await all
  })
})

describe('a name is resolved once (T108)', () => {
  const rebind = async (...addressLists: string[][]) => {
    ;[answers, resolveCount] = [addressLists, 0]
    const answer = await scrape(service, `http://rebind.example.com:${site.port}/`)
    answers = []
    return answer
  }

  it('a later DNS answer is ignored', async () => {
    handle = (_request, response) => void response.writeHead(200, html).end(titled)
    const answer = await rebind(['127.0.0.1'], ['10.0.0.1'])
    expect(answer.json()).toMatchObject({ json: { title: 'Reached' } })
    expect(resolveCount).toBe(1)
  })

  it('an address that is public when checked and private when connecting is not reached', async () => {
    const before = inner.asked.length
    let resolvedCount = 0
    const fetchPage = createPageFetcher({
      patienceMs: 500,
      leastRefusalMs: 0,
      mayReach: (address) => address === '192.0.2.1',
      resolve: async () => (resolvedCount++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']),
    })
    expect(await fetchPage(`http://rebind.example.com:${inner.port}/`)).toBeUndefined()
    expect([resolvedCount, inner.asked.length]).toEqual([1, before])
  })

  it('one non-public address among many is enough for a refusal', async () => {
    handle = (_request, response) => void response.writeHead(200, html).end(titled)
    const before = site.asked.length
    for (const other of ['10.0.0.1', '::1', '169.254.169.254']) {
      expectRefused(await rebind(['127.0.0.1', other]))
      expectRefused(await rebind([other, '127.0.0.1']))
    }
    expect(site.asked.length).toBe(before)
  })

  it('every redirect is resolved again', async () => {
    handle = (_request, response) => void response.writeHead(302, { location: '/next' }).end()
    expectRefused(await rebind(['127.0.0.1'], ['10.0.0.1']))
    expect(resolveCount).toBe(2)
  })
})

describe('a redirect (T108)', () => {
  it.each([
    'http://169.254.169.254/',
    'http://127.0.0.1/',
    '//[::1]/',
    'http://inner.example.com/',
    'http://2130706433/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://user:pw@site.example.com/',
    'http://',
    'x'.repeat(3_000),
    '/a b',
    'INNER',
    'LOOP',
  ])('to %s is refused', async (target) => {
    const before = inner.asked.length
    const answer = await visit(({ url }, response) => {
      const location = target
        .replace('INNER', `http://127.0.0.1:${inner.port}/`)
        .replace('LOOP', url ?? '')
      response.writeHead(302, { location }).end()
    })
    expectRefused(answer)
    expect(inner.asked.length).toBe(before)
  })

  it.each([
    ['without a target', []],
    ['with two', ['location', '/a', 'location', '/b']],
  ])('%s is refused', async (_what, headers) => {
    expectRefused(await visit((_request, response) => void response.writeHead(302, headers).end()))
  })
})

describe('the request to a page (T108)', () => {
  it('contains nothing of the caller and no cookie of the page', async () => {
    const from = site.asked.length
    handle = ({ url }, response) => {
      const cookie = { 'set-cookie': 'session=1; Path=/', location: '/end' }
      if (url === '/') response.writeHead(302, cookie).end()
      else response.writeHead(200, html).end(titled)
    }
    const answer = await scrape(service, `http://site.example.com:${site.port}/`, {
      cookie: 'a=b',
      'x-forwarded-for': '1.2.3.4',
      referer: 'https://x.example.com/secret',
      'x-secret': 'yes',
      'user-agent': 'of the caller',
      'x-request-id': 'of-the-caller',
    })
    expect(answer.json()).toMatchObject({ json: { title: 'Reached' } })
    const requests = site.asked.slice(from).map(({ method, headers }) => ({ method, ...headers }))
    const expected = {
      method: 'GET',
      host: `site.example.com:${site.port}`,
      connection: 'keep-alive',
      accept: 'text/html, application/xhtml+xml',
      'accept-encoding': 'gzip, br',
      'user-agent': 'emojid-scraper',
    }
    expect(requests).toEqual([expected, expected])
  })

  it('goes to the page itself, ignoring proxies of the environment', async () => {
    const names = ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']
    for (const name of names) process.env[name] = `http://127.0.0.1:${inner.port}`
    const before = inner.asked.length
    const answer = await visit((_request, response) => {
      response.writeHead(200, html).end(titled)
    })
    for (const name of names) delete process.env[name]
    expect([answer.status, inner.asked.length]).toEqual([200, before])
  })
})

describe('a malicious page (T108)', () => {
  const mebibyte = 1024 * 1024

  it('a malicious page (T108) of 100 MB is cut', async () => {
    let sentCount = 0
    const answer = await visit((_request, response) => {
      response.writeHead(200, html).write(titled)
      const part = Buffer.alloc(mebibyte, ' ')
      const more = () => {
        while (sentCount < 100 * mebibyte && !response.destroyed) {
          sentCount += part.length
          if (!response.write(part)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    expect(answer.json()).toMatchObject({ json: { title: 'Reached' } })
    expect(sentCount).toBeLessThan(30 * mebibyte)
  })

  const bomb = Buffer.concat([Buffer.from(titled), Buffer.alloc(30 * mebibyte)])
  it.each([
    ['gzip', gzipSync(bomb)],
    ['x-gzip', gzipSync(titled)],
    ['GZIP', gzipSync(titled).subarray(0, -6)],
    ['br', brotliCompressSync(bomb, { params: { 1: 1 } })],
    ['identity', Buffer.from(titled)],
  ])('compressed as %s is decompressed only as far as needed', async (encoding, body) => {
    const answer = await visit((_request, response) => {
      response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body)
    })
    expect(answer.json()).toMatchObject({ json: { title: 'Reached' } })
    const fetchPage = createPageFetcher({ ...allowPorts(site.port), patienceMs: 60_000 })
    const page = await fetchPage(site.address)
    expect(page?.bytes.length).toBe(body.length > 1_000 ? mebibyte : titled.length)
  })

  it.each([
    ['gzip', Buffer.from(titled)],
    ['br', Buffer.from(titled)],
    ['gzip, gzip', gzipSync(gzipSync(titled))],
    ['deflate', Buffer.from(titled)],
    ['zstd', Buffer.from(titled)],
    ['__proto__', Buffer.from(titled)],
    ['gzip', Buffer.concat(Array(100_000).fill(gzipSync('')))],
  ])('a malicious page (T108) with an invalid %s encoding is refused', async (encoding, body) => {
    expectRefused(
      await visit((_request, response) => {
        response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body)
      }),
    )
  })

  it.each<[string, Handler]>([
    ['never answers', () => {}],
    [
      'drips',
      (_request, response) => {
        response.writeHead(200, html).write(titled)
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'drips packed',
      (_request, response) => {
        response.writeHead(200, { ...html, 'content-encoding': 'gzip' })
        const packed = gzipSync(Buffer.alloc(100_000, titled))
        let at = 0
        const timer = setInterval(() => response.write(packed.subarray(at, ++at)), 50)
        response.on('close', () => clearInterval(timer))
      },
    ],
    [
      'redirects slowly',
      (_request, response) => {
        setTimeout(() => response.writeHead(302, { location: '/x' }).end(), 200)
      },
    ],
  ])('that %s is aborted', async (_what, does) => {
    handle = does
    const impatient = createPageFetcher({ ...allowPorts(site.port), patienceMs: 300 })
    expect(await impatient(site.address)).toBeUndefined()
  })

  it.each<[string, Handler]>([
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { ...html, 'content-length': '1000' })
        response.write(titled, () => response.destroy())
      },
    ],
    ['hangs up', (request) => void request.socket.destroy()],
  ])('that %s has no preview', async (_what, does) => expectRefused(await visit(does)))

  it.each([
    'text/plain',
    'application/json',
    'image/png',
    'text/htmlx',
    'application/octet-stream',
    '',
    'text',
    'multipart/x-mixed-replace; boundary=text/html',
  ])('a malicious page (T108) of type "%s" is refused', async (type) => {
    expectRefused(
      await visit((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(titled)
      }),
    )
  })

  it.each([204, 206, 301, 304, 400, 401, 403, 404, 407, 418, 429, 500, 503, 599, 999])(
    'that answers %i does no harm',
    async (status) => {
      const answer = await visit((_request, response) => {
        response.writeHead(status, html).end(titled)
      })
      expect(answer.status).toBe(status === 204 || status === 206 ? 200 : 422)
    },
  )

  it('a malicious page (T108) of binary data declared as HTML shows nothing', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919) % 251))
    const answer = await visit((_request, response) => {
      response.writeHead(200, html).end(bytes)
    })
    expect(answer.json()).toMatchObject({ json: { title: null, description: null, image: null } })
  })
})

describe('a server that violates HTTP (T108)', () => {
  const good = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
  it.each([
    ['nonsense', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['nothing', ''],
    ['no version', 'HTTP/9.9 200 OK\r\n\r\n'],
    ['a negative length', `${good}Content-Length: -1\r\n\r\nx`],
    ['two lengths', `${good}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`],
    ['a length and chunks', `${good}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nx`],
    ['a broken chunk', `${good}Transfer-Encoding: chunked\r\n\r\nzz\r\nx`],
    ['a huge header', `${good}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['many headers', `${good}${'X: y\r\n'.repeat(20_000)}\r\n`],
    ['NUL in a header', `${good}X: a\u0000b\r\n\r\n`],
    ['an upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['hints without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000)],
    ['half a header', 'HTTP/1.1 200 OK\r\nContent-Ty'],
  ])('a server that violates HTTP (T108) gets the same refusal: %s', async (_what, text) => {
    rawResponse = text
    expectRefused(await scrape(service, `http://${rawAddress()}/`))
    expectRefused(await scrape(service, `https://${rawAddress()}/`))
  })
})
