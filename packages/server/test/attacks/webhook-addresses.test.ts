import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createPoster } from '../../src/platform/outside/post-body.ts'
import { namesOf } from '../support/outside.ts'
import { masterKey } from '../support/own-keys.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { type TestService, testService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { addEndpoint, deliveriesOf, recordEvent, webhookReceiver } from '../support/webhooks.ts'

const names: Record<string, string[]> = {
  'public.example.com': ['93.184.216.34'],
  'inner.example.com': ['10.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'six.example.com': ['::1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  localhost: ['127.0.0.1'],
}
type Receiver = Awaited<ReturnType<typeof webhookReceiver>>

/** The rules of production: https, and public addresses only. */
const strict = createPoster({ resolve: namesOf(names), deliveryMs: 1_000 })
let receiver: Receiver
let service: TestService
let owner: Person
/** The current addresses of rebound.example.com. */
let answers: string[] = []
/** A wildcard name: `3-1.wild.example.com` has the address 127.0.1.3, whatever follows the dash. */
const resolveName = (name: string): string[] => {
  const nth = /^(\d+)-\d+\.wild\.example\.com$/.exec(name)?.[1]
  return nth === undefined ? (names[name] ?? []) : [`127.0.1.${nth}`]
}
/** An address that the rules of the test allow. */
const allowed = '127.0.0.1'
beforeAll(async () => {
  receiver = await webhookReceiver()
  service = await testService({
    env: { ROLES: 'api,auth,web,worker', TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' },
    outside: {
      resolve: async (name) => (name === 'rebound.example.com' ? answers : resolveName(name)),
      mayReach: (address, { hostname, port }) =>
        hostname.endsWith('.wild.example.com') ||
        (address === allowed && Number(port) === receiver.port),
      // Silent receivers keep their connections until the test ends.
      deliveryMs: 120_000,
    },
  })
  owner = await newcomer(service, { isVerified: true })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

describe('an internal address', () => {
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://192.168.0.1/',
    'https://100.64.0.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00:ec2::254]/',
    ...['inner', 'metadata', 'six', 'mapped', 'mixed', 'unknown'].map(
      (name) => `https://${name}.example.com/`,
    ),
    'https://public.example.com:8443/',
    'https://public.example.com:22/',
  ])('%s is refused when the endpoint is made and at every delivery (T122)', async (url) => {
    expect(await strict.mayReach(url)).toBe(false)
    expect(await strict.post(url, {}, '{}')).toEqual({ failure: 'not_allowed' })
  })

  it('an internal address gets the same error as an unknown name; credentials and other schemes are refused', async () => {
    for (const url of [
      'https://inner.example.com/',
      'https://unknown.example.com/',
      'https://10.0.0.1/',
    ]) {
      const refusal = await owner.post('/api/webhook_endpoints', { url })
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'unreachable_url'])
    }
    const other = await registerAs(service, 'User')
    for (const url of [
      'https://a:b@public.example.com/',
      'ftp://public.example.com/',
      'x',
      'file:///etc/passwd',
    ]) {
      const refusal = await other.post('/api/webhook_endpoints', { url })
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'invalid_webhook_url'])
    }
  })

  it('that a name gets later is not connected to (DNS rebinding)', async () => {
    answers = [allowed]
    const before = receiver.received.length
    const person = await newcomer(service, { isVerified: true })
    const { id } = await addEndpoint(person, `http://rebound.example.com:${receiver.port}/`)
    await recordEvent(service, 'order.paid', [{ user_id: person.id }])
    await waitUntil(() => receiver.received.length === before + 1)
    answers = ['10.0.0.1', allowed]
    await recordEvent(service, 'order.paid', [{ user_id: person.id }])
    await waitUntil(async () =>
      (await deliveriesOf(person, id)).some(({ error }) => error !== null),
    )
    expect(await deliveriesOf(person, id, 'status=waiting')).toMatchObject([
      { error: 'The name of the host has no public address.', response_status: null },
    ])
    expect(receiver.received).toHaveLength(before + 1)
  })
})

describe('an address of http', () => {
  it('an address of http is refused outside the demonstration when an endpoint is made or changed', async () => {
    const open = await testService({
      env: {
        BASE_URL: 'https://api.example.com',
        WEB_URL: 'https://example.com',
        AUTH_URL: 'https://auth.example.com',
        MASTER_KEY: masterKey.toString('base64'),
        SMTP_URL: 'smtp://localhost:1',
        SEED_DEMO: 'false',
      },
      outside: { resolve: namesOf(names) },
    })
    onTestFinished(() => open.close())
    const person = await newcomer(open, { isVerified: true })
    const { id } = await addEndpoint(person, 'https://public.example.com/')
    for (const [url, code] of [
      ['http://public.example.com/', 'invalid_webhook_url'],
      ['http://127.0.0.1/', 'invalid_webhook_url'],
      ['http://localhost/', 'invalid_webhook_url'],
      ['https://127.0.0.1/', 'unreachable_url'],
      ['https://localhost/', 'unreachable_url'],
    ]) {
      for (const refused of [
        await person.post('/api/webhook_endpoints', { url }),
        await person.patch(`/api/webhook_endpoints/${id}`, { url }),
      ]) {
        expect([refused.status, refused.json()['code']]).toEqual([422, code])
      }
    }
  })
})

describe('a response', () => {
  it('that never ends or has endless headers does not hold the delivery', async () => {
    const person = await newcomer(service, { isVerified: true })
    const before = receiver.received.length
    receiver.state.respond = (_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'.repeat(2_000)), 5)
      response.once('close', () => clearInterval(timer))
    }
    const { id } = await addEndpoint(person, receiver.url)
    await recordEvent(service, 'order.paid', [{ user_id: person.id }])
    await waitUntil(async () => (await deliveriesOf(person, id))[0]?.status === 'delivered')
    expect((await deliveriesOf(person, id))[0]?.answer).toHaveLength(1_024)
    receiver.state.respond = (_request, response) => {
      for (let nth = 0; nth < 40; nth++) response.setHeader(`x-${nth}`, 'y'.repeat(1_000))
      response.end()
    }
    await recordEvent(service, 'order.paid', [{ user_id: person.id }])
    await waitUntil(
      async () =>
        (await deliveriesOf(person, id, 'status=waiting'))[0]?.error?.length !== undefined,
    )
    expect(receiver.received.length).toBe(before + 2)
    receiver.state.respond = (_request, response) => response.end()
  })
})

describe('connections', () => {
  const held: (() => void)[] = []
  let silent: Receiver
  let quick: Receiver
  beforeAll(async () => {
    silent = await webhookReceiver(
      (_request, response) => void held.push(() => response.end()),
      '0.0.0.0',
    )
    quick = await webhookReceiver(undefined, '0.0.0.0')
  })
  afterAll(async () => {
    await silent.close()
    await quick.close()
  })

  let networkCount = 0
  /** An account of its own network, with endpoints that never respond. */
  const attackerWith = async (hosts: readonly string[]) => {
    const person = await newcomer(service, { isVerified: true })
    const headers = {
      authorization: `Bearer ${person.tokens.access_token}`,
      'x-forwarded-for': `203.0.${networkCount++}.1`,
    }
    for (const host of hosts) {
      const url = `http://${host}.wild.example.com:${silent.port}/`
      const answer = await service.post('/api/webhook_endpoints', { url }, { headers })
      expect(answer.status).toBe(200)
    }
    return { user_id: person.id }
  }
  /** A new endpoint gets its first delivery while the others are silent. */
  const expectPromptDelivery = async (host: string) => {
    const prompt = await newcomer(service, { isVerified: true })
    await addEndpoint(prompt, `http://${host}.wild.example.com:${quick.port}/`)
    const event_id = await recordEvent(service, 'order.paid', [{ user_id: prompt.id }])
    await waitUntil(() => quick.eventIds().includes(event_id))
  }
  const release = async (count: number) => {
    const before = silent.received.length - held.length
    await waitUntil(() => {
      for (const respond of held.splice(0)) respond()
      return silent.received.length - before >= count
    })
    await waitUntil(() => {
      for (const respond of held.splice(0)) respond()
      return silent.state.atOnce === 0
    })
    silent.state.mostAtOnce = 0
  }

  it('connections of one owner are at most four, until its endpoints respond', async () => {
    const attacker = await attackerWith(Array.from({ length: 6 }, (_, nth) => `${nth + 1}-1`))
    await recordEvent(service, 'order.paid', [attacker])
    await waitUntil(() => held.length === 4)
    await expectPromptDelivery('50-1')
    expect(silent.state.mostAtOnce).toBe(4)
    await release(6)
  })

  it('to one address are at most 16, however many names it has', async () => {
    const attackers = await Promise.all(
      [1, 2, 3, 4, 5].map((first) =>
        attackerWith([1, 2, 3, 4].map((second) => `60-${first}${second}`)),
      ),
    )
    await recordEvent(service, 'order.paid', attackers)
    await waitUntil(() => held.length >= 16)
    await expectPromptDelivery('51-1')
    expect(silent.state.mostAtOnce).toBe(16)
    await release(20)
  })

  it('connections are left for a new endpoint while 16 accounts hold as many as they can', async () => {
    const attackers = await Promise.all(
      Array.from({ length: 16 }, (_, nth) =>
        attackerWith(Array.from({ length: 4 }, (_unused, of) => `${nth * 8 + of + 100}-1`)),
      ),
    )
    await recordEvent(service, 'order.paid', attackers)
    await waitUntil(() => held.length === 64)
    await expectPromptDelivery('52-1')
    await release(64)
  })
})
