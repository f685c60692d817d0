import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealUrl } from '../../src/features/partners/webhooks/rules.ts'
import { createSealer } from '../../src/platform/crypto/seal.ts'
import { masterKey } from '../support/own-keys.ts'
import { newcomer } from '../support/people.ts'
import { type TestService, testService, usualPool } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { addEndpoint, deliveriesOf, recordEvent, webhookReceiver } from '../support/webhooks.ts'

const env = { ROLES: 'api,auth,web,worker', ...usualPool }
/** A delivery that a test holds is not retried. */
const outside = { deliveryMs: 4 * 60_000 }
let service: TestService
let second: TestService
beforeAll(async () => {
  service = await testService({ env, outside })
  second = await testService({ env, outside, databaseUrl: service.database?.url as string })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

describe('two processes', () => {
  it('send each of 8 events once, at most four at a time per endpoint', async () => {
    const receiver = await webhookReceiver((_request, response) =>
      setTimeout(() => response.end(), 5),
    )
    const owner = await newcomer(service, { isVerified: true })
    const { id } = await addEndpoint(owner, receiver.url)
    await Promise.all(
      Array.from({ length: 8 }, (_, nth) =>
        recordEvent(nth % 2 ? second : service, 'order.paid', [{ user_id: owner.id }]),
      ),
    )
    await waitUntil(
      async () => (await deliveriesOf(owner, id, 'status=delivered&limit=100')).length === 8,
    )
    expect(new Set(receiver.eventIds()).size).toBe(8)
    expect(receiver.received).toHaveLength(8)
    expect(receiver.state.mostAtOnce).toBeLessThanOrEqual(4)
    await receiver.close()
  })

  it('create at most 20 endpoints of an owner from concurrent requests', async () => {
    const owner = await newcomer(service, { isVerified: true })
    const at = (process: TestService, nth: number) =>
      process.post(
        '/api/webhook_endpoints',
        { url: `http://127.0.0.1:9/${nth}` },
        { headers: { authorization: `Bearer ${owner.tokens.access_token}` } },
      )
    expect((await at(service, 0)).status).toBe(200)
    // The state after 16 more.
    const { id: _id, ...first } = await service.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('user_id', '=', owner.id)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 16 }, () => {
      const id = randomUUID()
      return { ...first, id, ...sealUrl(createSealer([masterKey]), id, 'http://127.0.0.1:9/') }
    })
    await service.db.insertInto('webhook_endpoints').values(others).execute()
    const creationAnswers = await Promise.all(
      Array.from({ length: 6 }, (_, nth) => at(nth % 2 ? second : service, nth + 1)),
    )
    expect(creationAnswers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(creationAnswers.filter(({ status }) => status === 422)).toHaveLength(3)
  })
})

describe('a lease', () => {
  it('a lease of a killed process ends, and another process sends the delivery again', async () => {
    const receiver = await webhookReceiver()
    const owner = await newcomer(service, { isVerified: true })
    const { id } = await addEndpoint(owner, receiver.url)
    await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: true })
    const event_id = await recordEvent(service, 'order.paid', [{ user_id: owner.id }])
    await waitUntil(async () => (await deliveriesOf(owner, id)).length === 1)
    // A process that is killed while it sends leaves this.
    await service.db
      .updateTable('webhook_deliveries')
      .set({
        status: 'sending',
        tries: 1,
        leased_by: '00000000-0000-4000-8000-000000000000',
        leased_until: new Date(Date.now() - 1_000),
      })
      .where('endpoint_id', '=', id)
      .execute()
    await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: false })
    await waitUntil(() => receiver.received.length === 1)
    expect(receiver.eventIds()).toEqual([event_id])
    await receiver.close()
  })
})

describe('a slow endpoint', () => {
  it('a slow endpoint cannot hold its connection with a body that drips', async () => {
    const drip = await webhookReceiver((_request, response) => {
      let count = 0
      response.writeHead(200)
      const timer = setInterval(() => {
        response.write('x')
        if (++count === 50) response.end()
      }, 100)
      response.once('close', () => clearInterval(timer))
    })
    const owner = await newcomer(service, { isVerified: true })
    const { id } = await addEndpoint(owner, drip.url)
    await recordEvent(service, 'order.paid', [{ user_id: owner.id }])
    await waitUntil(async () => (await deliveriesOf(owner, id, 'status=delivered')).length === 1)
    const [delivery] = await deliveriesOf(owner, id)
    expect(delivery?.response_status).toBe(200)
    expect(delivery?.answer?.length).toBeLessThan(50)
    await drip.close()
  })

  it('delays only itself', async () => {
    const releases: (() => void)[] = []
    /** Without repetitions: the lease of a delivery ends if this process is paused for long. */
    const deliveries = new Set<string>()
    const note = ({ url, headers }: IncomingMessage) =>
      deliveries.add(`${url} ${headers['webhook-id']}`)
    const slow = await webhookReceiver((request, response) => {
      note(request)
      releases.push(() => response.end())
    })
    const quick = await webhookReceiver()
    const [sluggish, prompt] = [
      await newcomer(service, { isVerified: true }),
      await newcomer(service, { isVerified: true }),
    ]
    await Promise.all(
      Array.from({ length: 4 }, (_, nth) => addEndpoint(sluggish, `${slow.url}/${nth}`)),
    )
    await addEndpoint(prompt, quick.url)
    await recordEvent(service, 'order.paid', [{ user_id: sluggish.id }])
    await waitUntil(() => deliveries.size === 4)
    for (let nth = 1; nth <= 2; nth++) {
      await recordEvent(service, 'order.paid', [{ user_id: prompt.id }, { user_id: sluggish.id }])
      await waitUntil(() => quick.received.length === nth)
    }
    // One delivery at a time for an endpoint that has not proven to be quick.
    expect(deliveries.size).toBe(4)
    slow.state.respond = (request, response) => {
      note(request)
      response.end()
    }
    for (const release of releases) release()
    await waitUntil(() => deliveries.size === 12)
    await slow.close()
    await quick.close()
  })
})
