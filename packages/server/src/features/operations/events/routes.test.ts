import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, newId } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import { stopRefillInTest } from '../../../../test/support/refill.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedPair } from '../../../../test/support/shared-service.ts'
import { openStream } from '../../../../test/support/streams.ts'

type Event = {
  id: string
  type: string
  timestamp: string
  cursor: string
  data: { emoji_id?: string; version?: number; tags?: string[]; order_id?: string }
}
type Page = { data: Event[]; next: string }

let service: TestService
let second: TestService
let admin: Person
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
  admin = await registerAs(service, 'Admin')
})

const bitcoin = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
const read = async (query = '', person: Pick<Person, 'get'> = service) =>
  (await person.get(`/api/events${query}`)).json<Page>()
const now = async () => (await read()).next
const watch = async (emoji_ids: readonly string[]) =>
  (await service.post('/api/events/watch', { emoji_ids })).json<{ watch: string }>().watch
async function ownedId() {
  const anna = await newcomer(service, { isVerified: true })
  return { anna, id: await grant(admin, { user_id: anna.id }) }
}

/** Polls until this many events of the id arrived. */
async function readUntil(
  after: string,
  id: string,
  count: number,
  person: Pick<Person, 'get'> = service,
) {
  const events: Event[] = []
  for (let cursor = after; events.length < count; ) {
    const page = await read(`?after=${cursor}`, person)
    events.push(...page.data.filter(({ data }) => data.emoji_id === id))
    cursor = page.next
    if (events.length < count) await sleep(10)
  }
  return events
}

/** Reads until the feed has numbered the id's first event. */
async function readPast(after: string, id: string) {
  for (let cursor = after; ; ) {
    const page = await read(`?after=${cursor}&types=emoji_id.registered`)
    if (page.data.some(({ data }) => data.emoji_id === id)) return
    cursor = page.next
    await sleep(10)
  }
}

describe('the feed', () => {
  it('starts after every change that was saved before, numbered or not', async () => {
    const { anna, id } = await ownedId()
    const start = await now()
    expect((await anna.patch(at(id), { insert: [bitcoin] })).status).toBe(200)
    expect(await readUntil(start, id, 1)).toMatchObject([{ type: 'emoji_id.records_changed' }])
  })

  it('starts now, then shows the events of an id in order, without addresses (T123)', async () => {
    const start = await now()
    const { anna, id } = await ownedId()
    expect((await anna.patch(at(id), { insert: [bitcoin] })).status).toBe(200)
    const [createdEvent, changedEvent] = await readUntil(start, id, 2)
    expect(createdEvent).toMatchObject({
      id: expect.stringMatching(/^evt_[\w-]{22}$/),
      type: 'emoji_id.registered',
      data: { emoji_id: id, tags: [] },
    })
    expect(changedEvent).toMatchObject({
      type: 'emoji_id.records_changed',
      data: { emoji_id: id, tags: ['0x1003'] },
    })
    expect(Number(changedEvent?.data.version)).toBeGreaterThan(Number(createdEvent?.data.version))
    expect(JSON.stringify(changedEvent)).not.toContain(bitcoin.data)
    const proof = (await service.get(at(id, '/proof'))).json<{ version: number }>()
    expect(changedEvent?.data.version).toBe(proof.version)
    const after = await read(`?after=${changedEvent?.cursor}&limit=1`)
    expect(after.data.map(({ cursor }) => cursor)).not.toContain(changedEvent?.cursor)
  })

  it('the feed shows only the wanted types, and moves past the others', async () => {
    const start = await now()
    const { anna, id } = await ownedId()
    await anna.patch(at(id), { insert: [bitcoin] })
    await readUntil(start, id, 2)
    const { data, next } = await read(`?after=${start}&types=emoji_id.records_changed`)
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(['emoji_id.records_changed']))
    expect(next).not.toBe(start)
    const unknown = await service.get('/api/events?types=emoji_id.eaten')
    expect([unknown.status, unknown.json()['code']]).toEqual([400, 'unknown_event_type'])
  })

  it.each([
    '00000000-1',
    '00000000-0-00000000',
    'x',
    '12345678-99999999999999999-12345678',
    '-1-',
    '%F0%9F%94%A5',
  ])('refuses the cursor %s with 410, as JSON and as a stream', async (cursor) => {
    for (const accept of ['application/json', 'text/event-stream']) {
      const answer = await service.get(`/api/events?after=${cursor}`, { headers: { accept } })
      expect([answer.status, answer.json()['code']]).toEqual([410, 'unknown_cursor'])
    }
  })

  it('counts refused polls, watches, renewals, and events that a stream looks at, like polls (T125)', async () => {
    const start = await now()
    await sql`insert into events (event_id, type, data, user_ids, organization_ids, created_at)
      select 'evt_' || gen_random_uuid(), 'order.paid', '{}', '{}', '{}', now()
      from generate_series(1, 10000)`.execute(service.db)
    const last = await ownedId()
    await readPast(start, last.id)
    stopRefillInTest()
    const from = { 'x-forwarded-for': '198.51.100.8' }
    const poll = async (after: string) =>
      (await service.get(`/api/events?after=${after}`, { headers: from })).status
    const watches = await Promise.all(
      Array.from({ length: 116 }, () =>
        service.post('/api/events/watch', { emoji_ids: ['x'] }, { headers: from }),
      ),
    )
    expect(new Set(watches.map(({ status }) => status))).toEqual(new Set([400]))
    const renew = async () =>
      (await service.post('/api/events/watch', { watch: 'watch_unknown' }, { headers: from }))
        .status
    const refusals = [await poll('00000000-1'), await renew(), await renew(), await renew()]
    expect(new Set(refusals)).toEqual(new Set([410]))
    // A watch costs 5 even if it is refused, a renewal 1, a stream 2, and 12 for its 10,001 events.
    // A network has 600 at once.
    const stream = await openStream(service, `/api/events?after=${start}`, from)
    await stream.until(({ data }) => data.emoji_id === last.id)
    stream.close()
    expect([await poll(start), await poll(start)]).toEqual([200, 429])
  })

  it.each([
    ['text/event-stream;q=0, application/json', 'application/json; charset=utf-8'],
    ['text/event-stream;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['text/event-streams', 'application/json; charset=utf-8'],
    ['TEXT/Event-Stream', 'text/event-stream; charset=utf-8'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream; charset=utf-8'],
    [`text/event-stream${','.repeat(500)}`, 'application/json; charset=utf-8'],
  ])('responds to accept: %s with %s', async (accept, type) => {
    const stream = await openStream(service, '/api/events', { accept })
    expect(stream.headers.get('content-type')).toBe(type)
    stream.close()
  })

  it('refuses a cursor of the future, and one with the tag of another number, with 410', async () => {
    const start = await now()
    const { id } = await ownedId()
    await readUntil(start, id, 1)
    const [[epoch, number, tag], [, later]] = [start.split('-'), (await now()).split('-')]
    for (const place of [`${Number(later) + 1_000_000}-${tag}`, `${number}-ffffffff`, number]) {
      const answer = await service.get(`/api/events?after=${epoch}-${place}`)
      expect([place, answer.status, answer.json()['code']]).toEqual([place, 410, 'unknown_cursor'])
    }
  })
})

describe('a watch', () => {
  it('filters by its ids in any spelling, lasts an hour, and can be renewed', async () => {
    const start = await now()
    const [one, other] = [await ownedId(), await ownedId()]
    const token = await watch([one.id])
    await readUntil(start, other.id, 1)
    const ids = async () =>
      (await read(`?after=${start}&watch=${token}`)).data.map(({ data }) => data.emoji_id)
    expect(await ids()).toEqual([one.id])
    service.clock.advance(50 * 60_000)
    const renewalAnswer = await service.post('/api/events/watch', { watch: token })
    expect(renewalAnswer.json()).toMatchObject({ watch: token })
    service.clock.advance(50 * 60_000)
    expect(await ids()).toEqual([one.id])
    service.clock.advance(11 * 60_000)
    for (const answer of [
      await service.get(`/api/events?watch=${token}`),
      await service.post('/api/events/watch', { watch: token }),
    ]) {
      expect([answer.status, answer.json()['code']]).toEqual([410, 'unknown_watch'])
    }
    service.clock.advance(-111 * 60_000)
  })

  it('refuses more than 1,000 ids, wrong ids, and ids together with a token', async () => {
    const many = Array.from({ length: 1_001 }, newId)
    const bodies = [{ emoji_ids: many }, { emoji_ids: ['x'] }, { emoji_ids: [] }, {}]
    for (const body of [...bodies, { emoji_ids: [newId()], watch: 'watch_x' }]) {
      expect((await service.post('/api/events/watch', body)).status).toBe(400)
    }
  })

  it('stores neither token nor network in the clear, and logs no ids (T124)', async () => {
    const id = newId()
    const token = await watch([id])
    const { rows } = await sql<object>`
      select * from event_watches where emoji_ids = ${[id]}::text[]`.execute(service.db)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(service.logged.filter((line) => line.includes(id) || line.includes(token))).toEqual([])
  })

  it('a watch is refused with 429 once a network watches too many ids (T125)', async () => {
    stopRefillInTest()
    const emoji_ids = Array.from({ length: 1_000 }, newId)
    const send = async (ids: readonly string[]) =>
      (
        await service.post(
          '/api/events/watch',
          { emoji_ids: ids },
          { headers: { 'x-forwarded-for': '198.18.7.1' } },
        )
      ).status
    /** Makes the network look as if it had created so many more watches of this size. */
    const copyWatches = (id_count: number, copies: number) =>
      sql`
      insert into event_watches (token_hash, emoji_ids, id_count, network_hash, wide_network_hash,
        expires_at)
      select sha256(gen_random_uuid()::text::bytea), emoji_ids, id_count, network_hash,
        wide_network_hash, expires_at
      from event_watches, generate_series(1, ${copies}::int)
      where id_count = ${id_count}
        and network_hash = (select network_hash from event_watches where id_count = 1000 limit 1)
    `.execute(service.db)
    expect(await send(emoji_ids)).toBe(200)
    await copyWatches(1_000, 48)
    const [single] = emoji_ids as [string]
    // A watch of one id counts as 25.
    expect(await send([single])).toBe(200)
    await copyWatches(25, 38)
    expect(await send([single])).toBe(200)
    expect(await send([single])).toBe(429)
    const otherAnswer = await service.post('/api/events/watch', { emoji_ids: [newId()] })
    expect(otherAnswer.status).toBe(200)
  })
})

describe('the reserve of watches', () => {
  it('the reserve of watches is open to a network with few ids only, once three quarters are taken (T125)', async () => {
    stopRefillInTest()
    const send = async (id: string, address: string) => {
      const headers = { 'x-forwarded-for': address }
      const answer = await service.post('/api/events/watch', { emoji_ids: [id] }, { headers })
      return [answer.status, answer.json()['code']]
    }
    // In different wide networks.
    const [large, small] = ['198.51.100.1', '203.0.113.9']
    const first = newId()
    expect(await send(first, large)).toEqual([200, undefined])
    const ofLarge = sql`network_hash, wide_network_hash`
    const ofOthers = sql`sha256('x'::bytea), sha256('x'::bytea)`
    for (const [id_count, network] of [
      [2_000, ofLarge],
      [1_500_000, ofOthers],
    ] as const)
      await sql`
        insert into event_watches (token_hash, emoji_ids, id_count, expires_at, network_hash,
          wide_network_hash)
        select sha256(gen_random_uuid()::text::bytea), '{}', ${id_count}::int, expires_at, ${network}
        from event_watches where emoji_ids = ${[first]}::text[]`.execute(service.db)
    const whileTaken = [await send(newId(), large), await send(newId(), small)]
    await sql`delete from event_watches where id_count = 1500000`.execute(service.db)
    expect(whileTaken).toEqual([
      [429, 'too_many_watched'],
      [200, undefined],
    ])
    expect(await send(newId(), large)).toEqual([200, undefined])
  })
})

describe('a stream', () => {
  it('a stream shows new events of every process, and resumes after its last one without loss', async () => {
    const stream = await openStream(second, '/api/events')
    const [one, other] = [await ownedId(), await ownedId()]
    const seenEvents = await stream.until(({ data }) => data.emoji_id === other.id)
    expect(seenEvents.map(({ data }) => data.emoji_id)).toContain(one.id)
    stream.close()
    const [missed, next] = [await ownedId(), await ownedId()]
    const secondAnswer = await openStream(service, '/api/events', {
      'last-event-id': stream.lastId(),
    })
    const rest = await secondAnswer.until(({ data }) => data.emoji_id === next.id)
    expect(rest.map(({ data }) => data.emoji_id)).toContain(missed.id)
    expect(rest.map(({ data }) => data.emoji_id)).not.toContain(other.id)
    secondAnswer.close()
  })

  it('a stream has the headers that browsers of other origins and proxies need', async () => {
    const stream = await openStream(service, '/api/events', { origin: 'https://wallet.example' })
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    stream.close()
  })

  it('catches up on a backlog of hundreds of events, then follows, with a watch', async () => {
    const start = await now()
    const { id } = await ownedId()
    const others = Array.from({ length: 700 }, newId)
    await service.db.transaction().execute((trx) =>
      service.events.recordEvents(
        trx,
        others.map((emoji_id) => ({
          type: 'emoji_id.released',
          emoji_id,
          data: { version: 1, tags: [] },
          audience: [],
        })),
      ),
    )
    const last = await ownedId()
    const token = await watch([id, last.id])
    const whole = await openStream(service, `/api/events?after=${start}`)
    const all = await whole.until(({ data }) => data.emoji_id === last.id)
    expect(all.map(({ data }) => data.emoji_id)).toEqual(expect.arrayContaining(others))
    whole.close()
    const filteredAnswer = await openStream(service, `/api/events?after=${start}&watch=${token}`)
    const few = await filteredAnswer.until(({ data }) => data.emoji_id === last.id)
    expect(few.map(({ data }) => data.emoji_id)).toEqual([id, last.id])
    filteredAnswer.close()
  })

  it('ends once the database has other events at its place, and its cursor gets 410', async () => {
    const stream = await openStream(service, '/api/events')
    const { id } = await ownedId()
    await stream.until(({ data }) => data.emoji_id === id)
    await sql`update events set number_tag = 'ffffffff'
      where number = (select last_number from event_sequence)`.execute(service.db)
    await sql`select pg_notify('events_numbered', '')`.execute(service.db)
    await stream.rest()
    const answer = await service.get(`/api/events?after=${stream.lastId()}`)
    expect(answer.status).toBe(410)
  })

  it('a stream of a reader that does not read is cut off, and resumes without loss', async () => {
    const marks = Array.from({ length: 40 }, newId)
    const text = 'x'.repeat(400_000)
    const socket = connect(service.port, '127.0.0.1')
    socket.write('GET /api/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n')
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk
    })
    while (!received.includes('id: ')) await once(socket, 'data')
    socket.pause()
    const openCount = service.events.streams.count()
    const isCut = () => service.events.streams.count() < openCount
    for (const emoji_id of marks) {
      await service.db.transaction().execute((trx) =>
        service.events.recordEvent(trx, {
          type: 'emoji_id.released',
          emoji_id,
          data: { version: 1, tags: [text] },
          audience: [],
        }),
      )
    }
    // The kernel holds some megabytes for a connection, the service at most 256 kB.
    await expect.poll(isCut).toBe(true)
    const isClosed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {}).resume()
    await isClosed
    const whole = received.split('\n\n').slice(0, -1).join('\n\n')
    const seen = marks.filter((mark) => whole.includes(`"emoji_id":"${mark}"`))
    expect(seen.length).toBeLessThan(marks.length)
    const lastId = [...whole.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? ''
    const rest: string[] = []
    for (let cursor = lastId; rest.at(-1) !== marks.at(-1); ) {
      const page = await read(`?after=${cursor}&limit=5`)
      rest.push(...page.data.flatMap(({ data }) => data.emoji_id ?? []))
      cursor = page.next
    }
    expect([...seen, ...rest]).toEqual(marks)
  })

  it('a stream is refused with 429 beyond 100 per network, and a closed one makes room (T125)', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const streams = await Promise.all(
      Array.from({ length: 100 }, () => openStream(service, '/api/events', from)),
    )
    const accept = 'text/event-stream'
    const sendRefused = () => service.get('/api/events', { headers: { ...from, accept } })
    expect((await sendRefused()).status).toBe(429)
    const otherAnswer = await openStream(service, '/api/events', { 'x-forwarded-for': '192.0.2.9' })
    otherAnswer.close()
    streams.pop()?.close()
    for (;;) {
      const answer = await openStream(service, '/api/events', from)
      if (answer.status === 200) {
        streams.push(answer)
        break
      }
      await sleep(10)
    }
    for (const stream of streams) stream.close()
  })
})

describe('events of orders and transfers', () => {
  const record = (audience: { user_id?: string; organization_id?: string }) => {
    const order_id = crypto.randomUUID()
    return service.db.transaction().execute(async (trx) => {
      await service.events.recordEvent(trx, {
        type: 'order.paid',
        data: { order_id, organization_id: null, emoji_ids: [] },
        audience: [audience],
      })
      return order_id
    })
  }
  const ordersOf = async (person: Pick<Person, 'get'>, start: string) =>
    (await read(`?after=${start}&limit=200`, person)).data.flatMap(
      ({ data }) => data.order_id ?? [],
    )
  const withKey = async (anna: Person, scopes: string[]) => {
    const creationAnswer = await anna.post('/api/api_keys', { name: scopes.join(), scopes })
    const { api_key } = creationAnswer.json<{ api_key: string }>()
    return {
      get: (path: string) => service.get(path, { headers: { 'x-api-key': api_key } }),
      api_key,
    }
  }

  it('events of orders and transfers are shown to their own account only, and to its keys with the scope (T122)', async () => {
    const [anna, bert] = [await newcomer(service), await newcomer(service)]
    const start = await now()
    const order = await record({ user_id: anna.id })
    const marker = await ownedId()
    await readUntil(start, marker.id, 1)
    const [able, unable] = [
      await withKey(anna, ['order:readSelf', 'emoji::transfer']),
      await withKey(anna, ['order:readSelf']),
    ]
    expect(await ordersOf(anna, start)).toEqual([order])
    expect(await ordersOf(able, start)).toEqual([order])
    for (const stranger of [bert, unable, admin, service]) {
      expect(await ordersOf(stranger, start)).toEqual([])
    }
  })

  it('events of orders and transfers of an organization are shown to its controllers and owners, and to their keys with the scope', async () => {
    const organization = (await admin.post('/api/admin/organizations', { name: 'Partner' })).json<{
      id: string
    }>()
    const people = await Promise.all(
      (['OrgOwner', 'OrgController', 'OrgMember'] as const).map(async (role) => {
        const person = await newcomer(service, { isVerified: true })
        await service.db
          .insertInto('organization_members')
          .values({
            organization_id: organization.id,
            user_id: person.id,
            role,
            created_at: new Date(),
          })
          .execute()
        return person
      }),
    )
    const start = await now()
    const order = await record({ organization_id: organization.id })
    await readUntil(start, (await ownedId()).id, 1)
    const orderEvents = await Promise.all(people.map((person) => ordersOf(person, start)))
    expect(orderEvents).toEqual([[order], [order], []])
    const [owner] = people as [Person, ...Person[]]
    const [able, unable] = [
      await withKey(owner, ['domainEvent:read']),
      await withKey(owner, ['organizationEmoji:list']),
    ]
    expect(await ordersOf(able, start)).toEqual([order])
    expect(await ordersOf(unable, start)).toEqual([])
    // The same scope reads the audit log only for operators.
    expect((await able.get('/api/admin/audit')).status).toBe(403)
  })

  it('arrive on an open stream from the moment of a new role', async () => {
    const organization = (await admin.post('/api/admin/organizations', { name: 'Later' })).json<{
      id: string
    }>()
    const anna = await newcomer(service, { isVerified: true })
    const stream = await openStream(service, '/api/events', {
      authorization: `Bearer ${anna.tokens.access_token}`,
    })
    await record({ organization_id: organization.id })
    const before = await ownedId()
    await stream.until(({ data }) => data.emoji_id === before.id)
    await service.db
      .insertInto('organization_members')
      .values({
        organization_id: organization.id,
        user_id: anna.id,
        role: 'OrgController',
        created_at: new Date(),
      })
      .execute()
    const order = await record({ organization_id: organization.id })
    const marker = await ownedId()
    const seenEvents = await stream.until(({ data }) => data.emoji_id === marker.id)
    expect(seenEvents.flatMap(({ data }) => data.order_id ?? [])).toEqual([order])
    stream.close()
  })

  it('stop arriving on an open stream once the session is revoked (T122)', async () => {
    const anna = await newcomer(service, { isVerified: true })
    const headers = { authorization: `Bearer ${anna.tokens.access_token}` }
    const stream = await openStream(service, '/api/events', headers)
    const order = await record({ user_id: anna.id })
    const seenEvents = await stream.until(({ data }) => data.order_id === order)
    expect(seenEvents.at(-1)).toMatchObject({ type: 'order.paid' })
    expect((await anna.post('/api/logout')).status).toBe(200)
    const late = await record({ user_id: anna.id })
    const rest = await stream.rest()
    expect(rest.map(({ data }) => data.order_id)).not.toContain(late)
  })
})
