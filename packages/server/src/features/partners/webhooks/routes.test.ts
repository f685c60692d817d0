import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { grant } from '../../../../test/support/ids.ts'
import { masterKey } from '../../../../test/support/own-keys.ts'
import {
  type MailedService,
  mailedService,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { stopRefillInTest } from '../../../../test/support/refill.ts'
import { openStream } from '../../../../test/support/streams.ts'
import { transferSteps } from '../../../../test/support/transfers.ts'
import { waitUntil } from '../../../../test/support/wait.ts'
import {
  addEndpoint,
  deliveriesOf,
  endpointOf,
  type ReceivedRequest,
  recordEvent,
  webhookReceiver,
} from '../../../../test/support/webhooks.ts'
import { createSealer } from '../../../platform/crypto/seal.ts'
import { hourMs } from '../../../platform/time.ts'
import { hasUnqueued } from './repository.ts'
import { openUrl } from './rules.ts'

/** No other time limit is this long. */
const deliveryMs = 123_457
let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService({
    env: { TRUST_PROXY: '127.0.0.1', DEV_PAGES: 'false' },
    outside: { deliveryMs },
  })
  admin = await registerAs(service, 'Super')
})
afterAll(() => service.close())

const newOwner = () => registerAs(service, 'User')
const recordPaidOrder = ({ id }: { id: string }) =>
  recordEvent(service, 'order.paid', [{ user_id: id }])
const waitUntilNumbered = () => {
  const unnumberedQuery = service.db.selectFrom('events').select('id').where('number', 'is', null)
  return waitUntil(async () => (await unnumberedQuery.limit(1).execute()).length === 0)
}
/** Makes waiting retries due now, instead of after days. */
const hurry = async (id: string) => {
  await service.db
    .updateTable('webhook_endpoints')
    .set({ hold_until: null })
    .where('id', '=', id)
    .execute()
  await service.db
    .updateTable('webhook_deliveries')
    .set({ due_at: new Date(0) })
    .where('endpoint_id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}
/** Replaces the time limit of deliveries in this test; ends it for those underway. */
const replaceDeliveryLimit = () => {
  const startLimit = AbortSignal.timeout
  const limits: AbortController[] = []
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (ms !== deliveryMs) return startLimit.call(AbortSignal, ms)
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  onTestFinished(() => spy.mockRestore())
  return () => {
    for (const limit of limits) limit.abort()
  }
}
/** Makes an endpoint look as if its deliveries had failed for days. */
const disable = (id: string) =>
  service.db
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', status_reason: 'failing' })
    .where('id', '=', id)
    .execute()
/** The key answers for the endpoint from now on. */
async function resumeByKey({ api_key }: { api_key: string }, id: string) {
  await disable(id)
  const headers = { 'x-api-key': api_key }
  const body = { is_paused: false }
  const answer = await service.call('PATCH', `/api/webhook_endpoints/${id}`, { headers, body })
  expect(answer.status, answer.body).toBe(200)
}
const keyOf = async (person: Person, scopes: string[]) => {
  const creationAnswer = await person.post('/api/api_keys', { name: 'a program', scopes })
  return {
    ...creationAnswer.json<{ id: string; api_key: string; scopes: string[] }>(),
    status: creationAnswer.status,
  }
}

describe('a delivery', () => {
  it('a delivery is verified by unchanged standardwebhooks and svix, which refuse changed and old ones', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { secret } = await addEndpoint(owner, receiver.url)
    const id = await recordPaidOrder(owner)
    await waitUntil(() => receiver.received.length > 0)
    const { headers, body } = receiver.received[0] as ReceivedRequest
    expect(headers['webhook-id']).toBe(id)
    expect(JSON.parse(body)).toEqual({
      type: 'order.paid',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { version: 1 },
    })
    const old = { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 301) }
    for (const verifier of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      expect(verifier.verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => verifier.verify(body.replace('paid', 'pa1d'), headers)).toThrow()
      expect(() => verifier.verify(body, { ...headers, 'webhook-id': 'evt_other' })).toThrow()
      expect(() => verifier.verify(body, old)).toThrow()
    }
    await receiver.close()
  })

  it('a delivery has the signatures of former secrets for a day after each of two rotations', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { id, secret } = await addEndpoint(owner, receiver.url)
    const rotateSecret = () => owner.post(`/api/webhook_endpoints/${id}/rotate`)
    const second = (await rotateSecret()).json<{ secret: string }>().secret
    // A second rotation within the day ends no promise.
    const next = (await rotateSecret()).json<{ secret: string }>().secret
    const refusal = await rotateSecret()
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'too_many_rotations'])
    await recordPaidOrder(owner)
    await waitUntil(() => receiver.received.length === 1)
    const [first] = receiver.received as [ReceivedRequest]
    for (const one of [secret, second, next]) {
      new StandardWebhook(one).verify(first.body, first.headers)
    }
    const isTold = ({ subject }: { subject?: string | undefined }) =>
      subject?.includes('secret of a webhook endpoint was rotated')
    await waitUntil(() => service.mailsTo(owner.email).some(isTold))
    const past = new Date(Date.now() - 1_000)
    await service.db
      .updateTable('webhook_endpoints')
      .set({ previous_until: past, older_until: past })
      .where('id', '=', id)
      .execute()
    await recordPaidOrder(owner)
    await waitUntil(() => receiver.received.length === 2)
    const { headers, body } = receiver.received[1] as ReceivedRequest
    new StandardWebhook(next).verify(body, headers)
    for (const one of [secret, second]) {
      expect(() => new StandardWebhook(one).verify(body, headers)).toThrow()
    }
    expect((await rotateSecret()).status).toBe(200)
    await receiver.close()
  })

  it('a delivery is logged with status, latency and the first kilobyte of the response', async () => {
    const receiver = await webhookReceiver((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(`ok\u0000\u202e${'é'.repeat(5_000)}`)
    })
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    await recordPaidOrder(owner)
    await waitUntil(async () => (await deliveriesOf(owner, id, 'status=delivered')).length === 1)
    const [delivery] = await deliveriesOf(owner, id)
    expect(delivery).toMatchObject({ status: 'delivered', tries: 1, response_status: 200 })
    expect(delivery?.latency_ms).toBeGreaterThanOrEqual(0)
    expect(delivery?.answer).toMatch(/^ok {2}é+/)
    expect(Buffer.byteLength(delivery?.answer ?? '')).toBeLessThanOrEqual(1_030)
    await receiver.close()
  })

  it('a delivery of a type that the owner did not select does not exist', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    await addEndpoint(owner, receiver.url, { types: ['order.paid'] })
    await recordEvent(service, 'emoji_id.transferred', [{ user_id: owner.id }], {
      emoji_id: '🔥🐍',
    })
    const event_id = await recordPaidOrder(owner)
    await waitUntil(() => receiver.received.length > 0)
    expect(receiver.eventIds()).toEqual([event_id])
    await receiver.close()
  })
})

describe('a failed try', () => {
  it('a failed try after a redirect, a broken connection or silence is repeated with the same id and a new signature', async () => {
    const endLimit = replaceDeliveryLimit()
    const receiver = await webhookReceiver((_request, response, nth) => {
      if (nth === 1) response.writeHead(302, { location: 'https://example.com/' }).end()
      if (nth === 2) response.socket?.destroy()
      if (nth === 3) endLimit()
      if (nth === 4) response.end()
    })
    const owner = await newOwner()
    const { id, secret } = await addEndpoint(owner, receiver.url)
    const event_id = await recordPaidOrder(owner)
    for (const tries of [1, 2, 3]) {
      const lastDelivery = async () => (await deliveriesOf(owner, id))[0]
      await waitUntil(async () => {
        const delivery = await lastDelivery()
        return delivery?.tries === tries && delivery.status === 'waiting'
      })
      expect((await lastDelivery())?.error?.length).toBeGreaterThan(0)
      await hurry(id)
    }
    await waitUntil(async () => (await deliveriesOf(owner, id))[0]?.status === 'delivered')
    expect(receiver.eventIds()).toEqual(Array(4).fill(event_id))
    expect(secret).toMatch(/^whsec_/)
    for (const { body, headers } of receiver.received) {
      new StandardWebhook(secret).verify(body, headers)
    }
    await receiver.close()
  })

  it('waits as long as Retry-After says, at most a day', async () => {
    const receiver = await webhookReceiver((_request, response, nth) =>
      response.writeHead(nth === 1 ? 429 : 200, { 'retry-after': '7200' }).end(),
    )
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    await recordPaidOrder(owner)
    await waitUntil(async () => (await deliveriesOf(owner, id))[0]?.response_status === 429)
    const [delivery] = await deliveriesOf(owner, id)
    const waits = Date.parse(delivery?.next_try_at ?? '') - service.clock.now().getTime()
    expect(waits / hourMs).toBeGreaterThan(1.9)
    expect(waits / hourMs).toBeLessThanOrEqual(2)
    const { hold_until } = await endpointOf(owner, id)
    expect(hold_until).toBe(delivery?.next_try_at)
    await recordPaidOrder(owner)
    await waitUntil(async () => (await deliveriesOf(owner, id)).length === 2)
    expect((await deliveriesOf(owner, id)).map(({ next_try_at }) => next_try_at)).toEqual([
      hold_until,
      hold_until,
    ])
    await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: true })
    expect((await deliveriesOf(owner, id))[0]).toMatchObject({
      status: 'waiting',
      next_try_at: null,
    })
    await receiver.close()
  })

  it('ten times disables the endpoint and emails its owner; enabled, it can replay what it missed', async () => {
    const receiver = await webhookReceiver((_request, response) => response.writeHead(500).end())
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    await recordPaidOrder(owner)
    const waitForTry = async (tries: number) => {
      await waitUntil(async () => ((await deliveriesOf(owner, id))[0]?.tries ?? 0) >= tries)
      await waitUntil(async () => (await deliveriesOf(owner, id))[0]?.status !== 'sending')
    }
    await waitForTry(1)
    // The state after seven more failures.
    await service.db
      .updateTable('webhook_deliveries')
      .set({ tries: 8 })
      .where('endpoint_id', '=', id)
      .execute()
    await hurry(id)
    await waitForTry(9)
    expect(await endpointOf(owner, id)).toMatchObject({ status: 'active' })
    await hurry(id)
    await waitForTry(10)
    expect(await endpointOf(owner, id)).toMatchObject({
      status: 'disabled',
      status_reason: 'failing',
    })
    const missed = await recordPaidOrder(owner)
    await waitUntil(() =>
      service
        .mailsTo(owner.email)
        .some(({ subject }) => /webhook endpoint was disabled/.test(subject ?? '')),
    )
    receiver.state.respond = (_request, response) => response.end()
    const { replay_from } = (
      await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: false })
    ).json<{ replay_from: string }>()
    const replay = await owner.post(`/api/webhook_endpoints/${id}/replay`, { after: replay_from })
    expect(replay.json()).toMatchObject({ is_complete: true })
    await waitUntil(() => receiver.eventIds().includes(missed))
    expect((await endpointOf(owner, id)).replay_from).toBeNull()
    await receiver.close()
  })

  it('a failed try with 410 disables the endpoint immediately', async () => {
    const receiver = await webhookReceiver((_request, response) => response.writeHead(410).end())
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    await recordPaidOrder(owner)
    await waitUntil(async () => (await endpointOf(owner, id)).status === 'disabled')
    expect(await endpointOf(owner, id)).toMatchObject({ status_reason: 'gone' })
    expect(await deliveriesOf(owner, id)).toMatchObject([{ status: 'failed', tries: 1 }])
    await receiver.close()
  })
})

describe('an endpoint', () => {
  it('an endpoint shows its secret only when it is created and rotated', async () => {
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    for (const path of ['', `/${id}`]) {
      expect((await owner.get(`/api/webhook_endpoints${path}`)).body).not.toContain('whsec_')
    }
    const storedEndpoint = await service.db
      .selectFrom('webhook_endpoints')
      .select('sealed_secret')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(storedEndpoint.sealed_secret).toMatch(/^v1\./)
  })

  it('that is paused keeps its events until it is resumed', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: true })
    const event_id = await recordPaidOrder(owner)
    await waitUntil(async () => (await deliveriesOf(owner, id)).length === 1)
    expect((await owner.post(`/api/webhook_endpoints/${id}/test`)).status).toBe(422)
    expect(receiver.received).toEqual([])
    await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: false })
    await waitUntil(() => receiver.received.length === 1)
    expect(receiver.eventIds()).toEqual([event_id])
    await receiver.close()
  })

  it('an endpoint gets a test event, a delivery again and a replay, each when its owner asks', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, receiver.url)
    const test = await owner.post(`/api/webhook_endpoints/${id}/test`)
    expect(test.json()).toMatchObject({ type: 'webhook.test', status: 'waiting' })
    const delivery = test.json<{ id: string; event_id: string }>()
    await waitUntil(async () => (await deliveriesOf(owner, id))[0]?.status === 'delivered')
    await owner.post(`/api/webhook_endpoints/${id}/deliveries/${delivery.id}/redeliver`)
    await waitUntil(() => receiver.received.length === 2)
    expect(receiver.eventIds()).toEqual([delivery.event_id, delivery.event_id])
    const { next: after } = (await service.get('/api/events')).json<{ next: string }>()
    const event_id = await recordPaidOrder(owner)
    await waitUntil(() => receiver.received.length === 3)
    const replay = await owner.post(`/api/webhook_endpoints/${id}/replay`, { after })
    expect(replay.json()).toMatchObject({ queued: 1, is_complete: true })
    await waitUntil(() => receiver.received.length === 4)
    expect(receiver.eventIds().slice(2)).toEqual([event_id, event_id])
    const wrong = await owner.post(`/api/webhook_endpoints/${id}/replay`, {
      after: '00000000-1-00000000',
    })
    expect([wrong.status, wrong.json()['code']]).toEqual([410, 'unknown_cursor'])
    await receiver.close()
  })

  it('an endpoint is replayed while its deliveries are being queued', async () => {
    const { next: after } = (await service.get('/api/events')).json<{ next: string }>()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    await service.db.transaction().execute(async (trx) => {
      // The lock of an inserted delivery.
      await sql`select from webhook_endpoints where id = ${id} for key share`.execute(trx)
      const replay = await owner.post(`/api/webhook_endpoints/${id}/replay`, { after })
      expect(replay.status).toBe(200)
    })
  })

  it('an endpoint is changed and replayed by more requests at once than there are connections', async () => {
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    await service.db
      .updateTable('webhook_endpoints')
      .set({ missed_after: 0 })
      .where('id', '=', id)
      .execute()
    const { next: after } = (await service.get('/api/events')).json<{ next: string }>()
    const base = `/api/webhook_endpoints/${id}`
    const answers = await Promise.all([
      ...Array.from({ length: 25 }, () => owner.patch(base, { types: ['order.paid'] })),
      ...Array.from({ length: 10 }, () => owner.post(`${base}/replay`, { after })),
      owner.get('/api/account'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(Array(36).fill(200))
  })

  it('reports a new address to its owner', async () => {
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    const change = (body: object) => owner.patch(`/api/webhook_endpoints/${id}`, body)
    expect((await change({ url: 'http://127.0.0.1:10/' })).status).toBe(200)
    const reports = () =>
      service.mailsTo(owner.email).filter(({ subject }) => subject?.includes('has a new address'))
    await waitUntil(() => reports().length === 1)
    expect(reports()[0]?.text).toMatch(
      /127\.0\.0\.1:10 gets the events that went to 127\.0\.0\.1:9/,
    )
    const long = await change({ url: `http://127.0.0.1:10/${'ü'.repeat(400)}` })
    expect([long.status, long.json()['code']]).toEqual([422, 'webhook_url_too_long'])
  })

  it('an endpoint of another account is unknown in every operation', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()]
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    const base = `/api/webhook_endpoints/${id}`
    const answers = [
      await stranger.get(base),
      await stranger.patch(base, { is_paused: true }),
      await stranger.post(`${base}/rotate`),
      await stranger.post(`${base}/test`),
      await stranger.get(`${base}/deliveries`),
      await stranger.post(`${base}/deliveries/${id}/redeliver`),
      await stranger.delete(base),
    ]
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(404))
    expect((await owner.get(base)).status).toBe(200)
    expect((await owner.delete(base)).status).toBe(200)
    expect((await owner.get(base)).status).toBe(404)
  })
})

describe('events', () => {
  it('events of a partner flow reach the partner, and those of others do not', async () => {
    const receiver = await webhookReceiver()
    const [partner, other] = await Promise.all(
      ['Crabs', 'Squids'].map(async (name) =>
        (await admin.post('/api/admin/organizations', { name })).json<{ id: string }>(),
      ),
    )
    const owner = await newOwner()
    const join = (role: string) =>
      admin.put(`/api/admin/organizations/${partner?.id}/members/${owner.id}`, { role })
    await join('OrgController')
    const refusal = await owner.post('/api/webhook_endpoints', {
      url: receiver.url,
      organization_id: partner?.id,
    })
    expect(refusal.status).toBe(403)
    await join('OrgOwner')
    await addEndpoint(owner, receiver.url, { organization_id: partner?.id })
    await recordEvent(service, 'order.paid', [{ organization_id: other?.id as string }])
    await recordEvent(service, 'order.paid', [{ user_id: owner.id }])
    const own = await recordEvent(service, 'order.paid', [
      { organization_id: partner?.id as string },
    ])
    await waitUntil(() => receiver.received.length > 0)
    expect(receiver.eventIds()).toEqual([own])
    await receiver.close()
  })

  it('events stop when the owner is deactivated, loses the role or revokes the key, and the others are notified', async () => {
    const receiver = await webhookReceiver()
    const organization = (await admin.post('/api/admin/organizations', { name: 'Eels' })).json<{
      id: string
    }>()
    const [demotedPerson, keyedPerson, inactive] = await Promise.all([
      newOwner(),
      newOwner(),
      newOwner(),
    ])
    const member = `/api/admin/organizations/${organization.id}/members/${demotedPerson.id}`
    // An organization keeps an owner.
    await admin.put(`/api/admin/organizations/${organization.id}/members/${admin.id}`, {
      role: 'OrgOwner',
    })
    await admin.put(member, { role: 'OrgOwner' })
    const ofOrganization = await addEndpoint(demotedPerson, receiver.url, {
      organization_id: organization.id,
    })
    const scopes = ['webhook:write', 'order:readSelf', 'emoji::transfer']
    const key = await keyOf(keyedPerson, scopes)
    const byKey = await addEndpoint(keyedPerson, receiver.url)
    await resumeByKey(key, byKey.id)
    const ofInactive = await addEndpoint(inactive, receiver.url)
    expect((await admin.put(member, { role: 'OrgController' })).status).toBe(200)
    await keyedPerson.delete(`/api/api_keys/${key.id}`)
    await service.db
      .updateTable('users')
      .set({ deactivated_at: new Date() })
      .where('id', '=', inactive.id)
      .execute()
    await recordEvent(service, 'order.paid', [
      { organization_id: organization.id },
      { user_id: keyedPerson.id },
      { user_id: inactive.id },
    ])
    const ids = [ofOrganization.id, byKey.id, ofInactive.id]
    const read = () =>
      service.db
        .selectFrom('webhook_endpoints')
        .select(['id', 'status', 'status_reason'])
        .where('id', 'in', ids)
        .execute()
    await waitUntil(async () => (await read()).every(({ status }) => status === 'disabled'))
    const reasons = new Map((await read()).map(({ id, status_reason }) => [id, status_reason]))
    expect(ids.map((id) => reasons.get(id))).toEqual(['access_lost', 'key_revoked', 'access_lost'])
    expect(receiver.received).toEqual([])
    const isTold = ({ email }: Person, why: RegExp) =>
      service
        .mailsTo(email)
        .some(
          ({ subject, text }) =>
            /webhook endpoint was disabled/.test(subject ?? '') && why.test(text ?? ''),
        )
    await waitUntil(() =>
      isTold(
        admin,
        /endpoint of Eels at .* the member who set it up may no longer manage it\. Check that its address/s,
      ),
    )
    await waitUntil(() => isTold(keyedPerson, /the API key that resumed it was deleted/))
    const { rows } = await sql<{ reason: string }>`
      select details->>'reason' as reason from audit_entries
      where event = 'webhook.disabled' and details->>'webhook' = any (${ids}::text[])
      order by 1`.execute(service.db)
    expect(rows.map(({ reason }) => reason)).toEqual(['access_lost', 'access_lost', 'key_revoked'])
    await receiver.close()
  })

  it('events of an id that left are not sent, except the event that says so', async () => {
    const receiver = await webhookReceiver((_request, response) =>
      response.writeHead(503, { 'retry-after': '86400' }).end(),
    )
    const [owner, next] = [await newOwner(), await newOwner()]
    const emoji_id = await grant(admin, { user_id: owner.id })
    const types = ['emoji_id.records_changed', 'emoji_id.transferred']
    const { id } = await addEndpoint(owner, receiver.url, { types })
    const to = [{ user_id: owner.id }]
    const change = await recordEvent(service, 'emoji_id.records_changed', to, { emoji_id })
    await waitUntil(async () => (await deliveriesOf(owner, id))[0]?.response_status === 503)
    const other = await grant(admin, { user_id: next.id })
    await sql`update emoji_ids set pubkey = (select pubkey from emoji_ids where emoji_id = ${other})
      where emoji_id = ${emoji_id}`.execute(service.db)
    receiver.state.respond = (_request, response) => response.end()
    const farewell = await recordEvent(service, 'emoji_id.transferred', to, { emoji_id })
    await hurry(id)
    await waitUntil(() => receiver.eventIds().includes(farewell))
    await waitUntil(async () =>
      (await deliveriesOf(owner, id)).some(({ status }) => status === 'cancelled'),
    )
    expect(receiver.eventIds()).toEqual([change, farewell])
    await receiver.close()
  })
})

describe('an offered transfer', () => {
  it('an offered transfer is hidden from an account that did not confirm its email address (T122)', async () => {
    const steps = transferSteps(service, admin)
    const [sender, squatter] = [await newOwner(), await newcomer(service)]
    const refused = await squatter.post('/api/webhook_endpoints', { url: 'http://127.0.0.1:9/' })
    expect([refused.status, refused.json()['code']]).toEqual([422, 'unconfirmed_email'])
    const setConfirmed = (email_verified_at: Date | null) =>
      service.db
        .updateTable('users')
        .set({ email_verified_at })
        .where('id', '=', squatter.id)
        .execute()
    const receiver = await webhookReceiver()
    await setConfirmed(new Date())
    const { id } = await addEndpoint(squatter, receiver.url)
    await setConfirmed(null)
    const stream = await openStream(service, '/api/events', {
      authorization: `Bearer ${squatter.tokens.access_token}`,
    })
    const { next: start } = (await service.get('/api/events')).json<{ next: string }>()
    const eid = await grant(admin, { user_id: sender.id })
    const transfer = await steps.post(sender, { eid, email: squatter.email })
    const confirmation = await steps.confirm(sender, transfer, await steps.codeTo(sender))
    expect(confirmation.status).toBe(200)
    // An event from before the address was lost.
    await recordEvent(service, 'transfer.offered', [{ user_id: squatter.id }])
    const last = await recordPaidOrder(squatter)
    const typesOf = async (person: Person) =>
      (await person.get(`/api/events?after=${start}`))
        .json<{ data: { type: string }[] }>()
        .data.map(({ type }) => type)
        .filter((type) => !type.startsWith('emoji_id.'))
    const streamedEvents = await stream.until((event) => event.id === last)
    stream.close()
    expect(streamedEvents.map(({ type }) => type)).not.toContain('transfer.offered')
    expect(await typesOf(squatter)).toEqual(['order.paid'])
    expect(await typesOf(sender)).toEqual(['transfer.offered'])
    await waitUntil(() => receiver.received.length > 0)
    await waitUntil(async () => (await deliveriesOf(squatter, id, 'status=cancelled')).length > 0)
    expect(await deliveriesOf(squatter, id, 'status=cancelled')).toMatchObject([
      { type: 'transfer.offered', error: 'The email address is not confirmed.' },
    ])
    expect(receiver.eventIds()).toEqual([last])
    await receiver.close()
  })
})

describe('a rate limit', () => {
  it('counts tests and redeliveries of all accounts of a network', async () => {
    stopRefillInTest()
    const send = ({ tokens }: Person, path: string) =>
      service.post(`/api/webhook_endpoints/${path}`, undefined, {
        headers: {
          authorization: `Bearer ${tokens.access_token}`,
          'x-forwarded-for': '198.51.100.30',
        },
      })
    const unknown = crypto.randomUUID()
    for (let nth = 0; nth < 4; nth++) {
      const person = await newcomer(service, { isVerified: true })
      const path = `${unknown}/deliveries/${unknown}/redeliver`
      const answers = await Promise.all(Array.from({ length: 30 }, () => send(person, path)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    }
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    expect((await send(owner, `${id}/test`)).status).toBe(429)
    expect((await owner.post(`/api/webhook_endpoints/${id}/test`)).status).toBe(200)
  })

  it('allows an account 10,000 replayed events at once', async () => {
    stopRefillInTest()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, 'http://127.0.0.1:9/')
    // The deliveries stay in the queue.
    await service.db
      .updateTable('webhook_endpoints')
      .set({ hold_until: new Date('2100-01-01') })
      .where('id', '=', id)
      .execute()
    const { next: after } = (await service.get('/api/events')).json<{ next: string }>()
    await service.db.transaction().execute((trx) =>
      service.events.recordEvents(
        trx,
        Array.from({ length: 1_000 }, () => ({
          type: 'order.paid' as const,
          audience: [{ user_id: owner.id }],
        })),
      ),
    )
    await waitUntilNumbered()
    const replay = () => owner.post(`/api/webhook_endpoints/${id}/replay`, { after })
    for (let nth = 0; nth < 10; nth++) {
      expect((await replay()).json()).toMatchObject({ queued: 1_000 })
    }
    expect((await replay()).status).toBe(429)
    expect((await owner.delete(`/api/webhook_endpoints/${id}`)).status).toBe(200)
  })
})

describe('an API key', () => {
  it('an API key has the scopes of webhooks only if they were requested by name', async () => {
    const owner = await newOwner()
    const usual = (await owner.post('/api/api_keys', { name: 'usual' })).json<{
      scopes: string[]
      api_key: string
    }>()
    expect(usual.scopes.filter((scope) => scope.startsWith('webhook'))).toEqual([])
    const reading = await keyOf(owner, ['webhook:read'])
    const status = async (api_key: string, method: 'GET' | 'POST') =>
      (
        await service.call(method, '/api/webhook_endpoints', {
          headers: { 'x-api-key': api_key },
          ...(method === 'POST' ? { body: { url: 'http://127.0.0.1:9/' } } : {}),
        })
      ).status
    expect([await status(usual.api_key, 'GET'), await status(reading.api_key, 'GET')]).toEqual([
      403, 200,
    ])
    expect(await status(reading.api_key, 'POST')).toBe(403)
    const account = (await owner.get('/api/account')).body
    expect(account).not.toContain('webhook:')
  })

  it('pushes only the types of events that it may read', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const key = await keyOf(owner, ['webhook:write'])
    const headers = { 'x-api-key': key.api_key }
    const { id } = await addEndpoint(owner, receiver.url)
    const path = `/api/webhook_endpoints/${id}`
    const change = (body: object) => service.call('PATCH', path, { headers, body })
    for (const types of [['order.paid'], ['transfer.offered']]) {
      expect((await change({ types })).status, types[0]).toBe(403)
    }
    await disable(id)
    // It would silence the orders of an endpoint that its owner set up.
    expect((await change({ is_paused: false })).status).toBe(403)
    await owner.patch(path, { types: ['emoji_id.transferred'] })
    await resumeByKey(key, id)
    await owner.patch(path, { types: [] })
    await recordPaidOrder(owner)
    await recordEvent(service, 'transfer.offered', [{ user_id: owner.id }])
    const seen_id = await recordEvent(service, 'emoji_id.transferred', [{ user_id: owner.id }], {
      emoji_id: '🔥🐍',
    })
    await waitUntil(async () => (await deliveriesOf(owner, id, 'status=cancelled')).length === 2)
    await waitUntil(() => receiver.received.length > 0)
    expect(receiver.eventIds()).toEqual([seen_id])
    const reading = await keyOf(owner, ['webhook:write', 'order:readSelf'])
    await owner.patch(path, { types: ['order.paid'] })
    await resumeByKey(reading, id)
    const paid_id = await recordPaidOrder(owner)
    await waitUntil(() => receiver.eventIds().includes(paid_id))
    await receiver.close()
  })
})

describe('an operator', () => {
  it('stops an endpoint with a reason, and its owner cannot enable, delete or replace it', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, `${receiver.url}?token=s3cret`)
    const path = `/api/admin/webhook_endpoints/${id}`
    // The query can hold a token: only the owner sees it and finds it.
    expect((await endpointOf(owner, id))['url']).toContain('?token=s3cret')
    for (const seen of [path, `/api/admin/webhook_endpoints/export?q=${owner.email}`]) {
      const { body } = await admin.get(seen)
      expect([body.includes(receiver.url), body.includes('s3cret')], seen).toEqual([true, false])
    }
    const guess = await admin.get('/api/admin/webhook_endpoints?q=s3cret')
    expect(guess.json()).toMatchObject({ data: [] })
    expect((await owner.patch(path, { is_stopped: true, reason: 'mine' })).status).toBe(403)
    const stopAnswer = await admin.patch(path, { is_stopped: true, reason: 'Floods a third party' })
    expect(stopAnswer.json()).toMatchObject({ status: 'stopped', user_email: owner.email })
    expect(await endpointOf(owner, id)).toMatchObject({
      status: 'stopped',
      note: 'Floods a third party',
    })
    const refusal = await owner.patch(`/api/webhook_endpoints/${id}`, { is_paused: false })
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'stopped_webhook_endpoint'])
    const deletion = await owner.delete(`/api/webhook_endpoints/${id}`)
    expect([deletion.status, deletion.json()['code']]).toEqual([422, 'stopped_webhook_endpoint'])
    const other = await addEndpoint(owner, 'http://127.0.0.1:9/')
    for (const again of [
      await owner.post('/api/webhook_endpoints', { url: `${receiver.url}/again` }),
      await owner.patch(`/api/webhook_endpoints/${other.id}`, { url: receiver.url }),
    ]) {
      expect([again.status, again.json()['code']]).toEqual([422, 'stopped_webhook_host'])
    }
    expect((await owner.delete(`/api/webhook_endpoints/${other.id}`)).status).toBe(200)
    const newAccount = await newOwner()
    const same = await newAccount.post('/api/webhook_endpoints', { url: `${receiver.url}?again` })
    expect([same.status, same.json()['code']]).toEqual([422, 'stopped_webhook_host'])
    const isReport = ({ text }: { text?: string | undefined }) =>
      text?.includes('was stopped by an operator: “Floods a third party”')
    await waitUntil(() => service.mailsTo(owner.email).some(isReport))
    await recordPaidOrder(owner)
    await waitUntilNumbered()
    await waitUntil(async () => !(await hasUnqueued(service.db)))
    const foundAnswer = await admin.get(`/api/admin/webhook_endpoints?q=${owner.email}`)
    expect(foundAnswer.json<{ data: unknown[] }>().data).toHaveLength(1)
    await admin.patch(path, { is_stopped: false, reason: 'Settled' })
    expect(await endpointOf(owner, id)).toMatchObject({ status: 'paused', note: null })
    expect(receiver.received).toEqual([])
    await receiver.close()
  })

  it('blocks the address of a stopped endpoint beyond the account of its owner', async () => {
    const receiver = await webhookReceiver()
    const owner = await newOwner()
    const { id } = await addEndpoint(owner, `${receiver.url}/hook?token=s3cret`)
    const { id: other } = await addEndpoint(owner, `${receiver.url}/other`)
    const path = `/api/admin/webhook_endpoints/${id}`
    await admin.patch(path, { is_stopped: true, reason: 'Floods a third party' })
    expect((await owner.delete(`/api/users/${owner.id}`)).status).toBe(200)

    const newAccount = await newOwner()
    const again = await newAccount.post('/api/webhook_endpoints', { url: `${receiver.url}/hook` })
    expect([again.status, again.json()['code']]).toEqual([422, 'stopped_webhook_host'])
    expect((await admin.get(path)).json()).toMatchObject({ status: 'stopped', id })
    expect((await admin.get(`/api/admin/webhook_endpoints/${other}`)).status).toBe(404)
    const stored = await service.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(openUrl(createSealer([masterKey]), stored)).toBe(`${receiver.url}/hook`)
    await receiver.close()
  })
})
