import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Change, createClient, RefusedError, type WatchOptions } from '@emojid/sdk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import { type TestService, testService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { bitcoin, createPayable, otherBitcoin, type Payable } from '../support/wallet.ts'

let service: TestService
let api: Payable['api']
let annasId: Payable['newId']
let setBitcoin: Payable['setBitcoin']
beforeAll(async () => {
  service = await testService()
  ;({ api, newId: annasId, setBitcoin } = await createPayable(service))
  way = await webServer(respond)
  through = `${way.address}/api`
})
/** A way to the service that breaks connections, collects streams or responds itself. */
let isCollecting = false
type Answer = { status: number; headers?: Record<string, string>; body?: string }
/** The responses to the next requests. */
const ownAnswers: Answer[] = []
const open = new Set<() => void>()
let way: Awaited<ReturnType<typeof webServer>>
let through: string
afterAll(async () => {
  await way.close()
  await service.close()
})
function respond(request: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url } = request
  const ownAnswer = ownAnswers.shift()
  if (ownAnswer) {
    response.writeHead(ownAnswer.status, ownAnswer.headers).end(ownAnswer.body)
    return
  }
  const target = new URL(url ?? '/', service.address)
  const sentRequest = forward(target, { method: method ?? 'GET', headers }, (answer) => {
    const isStream = answer.headers['content-type']?.startsWith('text/event-stream') === true
    if (isStream && isCollecting) return
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(response)
  })
  const cut = () => {
    sentRequest.destroy()
    request.socket.destroy()
  }
  open.add(cut)
  response.once('close', () => {
    open.delete(cut)
    sentRequest.destroy()
  })
  sentRequest.on('error', () => response.destroy())
  request.pipe(sentRequest)
}

/** Watches ids and collects what is reported. */
function startWatch(
  ids: readonly string[],
  options: WatchOptions & { api?: string; work?: () => unknown } = {},
) {
  const { api: at = api, work = () => {}, ...more } = options
  const seenChanges: Change[] = []
  const errors: [unknown, string | undefined][] = []
  const onChange = (change: Change) => {
    seenChanges.push(change)
    return work()
  }
  const watch = createClient({ api: at }).watch(ids, onChange, {
    pollMs: 50,
    longestWaitMs: 50,
    onError: (error, id) => errors.push([error, id]),
    ...more,
  })
  const until = async (count: number) => {
    await waitUntil(() => seenChanges.length >= count)
    return seenChanges
  }
  return { ...watch, seen: seenChanges, errors, until }
}

describe('watch', () => {
  // The first test: the service counts no other streams yet.
  it('polls while its network has too many open streams', async () => {
    const id = await annasId()
    const controller = new AbortController()
    const headers = { accept: 'text/event-stream' }
    const openStream = () => fetch(`${api}/events`, { headers, signal: controller.signal })
    const streams = await Promise.all(Array.from({ length: 100 }, openStream))
    expect((await openStream()).status).toBe(429)
    const { ready, until, close } = startWatch([id], { longestWaitMs: 60_000 })
    await ready
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toHaveLength(1)
    expect(streams.every(({ ok }) => ok)).toBe(true)
    close()
    controller.abort()
  })

  it.each([{}, { mode: 'poll' as const }])(
    'reports changes of the watched ids only, with %o',
    async (options) => {
      const [id, other] = [await annasId(), await annasId()]
      const { ready, until, close, closed } = startWatch([id], options)
      await ready
      await setBitcoin(other, otherBitcoin)
      await setBitcoin(id, otherBitcoin)
      expect(await until(1)).toMatchObject([
        { id, reason: 'event', type: 'emoji_id.records_changed', tags: ['0x1003'] },
      ])
      close()
      await closed
    },
  )

  it('resumes after lost connections without loss, in order', async () => {
    const id = await annasId()
    const { ready, until, close } = startWatch([id], { api: through })
    await ready
    for (let n = 0; n < 6; n++) {
      await setBitcoin(id, n % 2 ? bitcoin : otherBitcoin)
      if (n % 3 === 0) for (const cut of open) cut()
    }
    const versions = (await until(6)).map((change) =>
      change.reason === 'event' ? change.version : 0,
    )
    expect(versions).toHaveLength(6)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    close()
  })

  it('polls where a proxy collects the stream', async () => {
    isCollecting = true
    const id = await annasId()
    const { ready, until, close } = startWatch([id], { api: through, helloMs: 100 })
    await ready
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toHaveLength(1)
    close()
    isCollecting = false
  })

  it('continues after failures of the service and responses of other servers', async () => {
    const id = await annasId()
    const waitLong = { 'retry-after': '600' }
    ownAnswers.push({ status: 429, headers: waitLong }, { status: 500 })
    const { ready, until, close, errors } = startWatch([id], { api: through })
    await ready
    ownAnswers.push(
      { status: 503, headers: waitLong },
      { status: 500 },
      { status: 520 },
      { status: 403, body: 'Forbidden' },
      { status: 302, headers: { location: 'https://login.example.com/' } },
      { status: 200, body: '<!doctype html>' },
    )
    for (const cut of open) cut()
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toMatchObject([{ id, reason: 'event' }])
    expect([ownAnswers, errors]).toEqual([[], []])
    close()
  })

  it('watch ends when the service refuses its request, and says so', async () => {
    const { ready, closed, errors } = startWatch([await annasId()], { api: through })
    await ready
    const body = JSON.stringify({ error: 'No.', code: 'invalid_request', request_id: 'r' })
    ownAnswers.push({ status: 400, body })
    for (const cut of open) cut()
    await expect(closed).rejects.toThrow('No.')
    expect(errors).toMatchObject([[{ status: 400 }, undefined]])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('lookup failed'))],
    [
      'throws',
      () => {
        throw new TypeError('lookup failed')
      },
    ],
  ])('reports each change once to a function that %s', async (_how, work) => {
    const id = await annasId()
    const { ready, until, close, errors } = startWatch([id], { work })
    await ready
    for (const address of [otherBitcoin, bitcoin]) await setBitcoin(id, address)
    const versions = (await until(2)).map((change) => 'version' in change && change.version)
    expect(new Set(versions).size).toBe(2)
    const failure = [expect.objectContaining({ message: 'lookup failed' }), id]
    await expect.poll(() => errors).toEqual([failure, failure])
    close()
  })

  it('watch leaves unusable ids out and reports them; the service names them', async () => {
    const id = await annasId()
    const { ready, until, close, errors } = startWatch(['🔥🈵', id])
    await ready
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toMatchObject([{ id }])
    expect(errors).toMatchObject([[{ code: 'invalid_id', emoji: '🈵' }, '🔥🈵']])
    close()
    const body = { emoji_ids: [id, '🔥🈵'] }
    const refusal = createClient({ api }).api.events.watchIds({ body })
    await expect(refusal).rejects.toThrow('“🔥🈵” is not an emoji id: 🈵 at position 2')
  })

  it('asks for a new lookup of every id after a restore, and goes on from there', async () => {
    const [id, other] = [await annasId(), await annasId()]
    const { ready, until, close } = startWatch([id, other], { api: through })
    await ready
    await sql`update event_sequence set epoch = 'abcdef01'`.execute(service.db)
    for (const cut of open) cut()
    expect(await until(2)).toEqual([
      { id, reason: 'missed' },
      { id: other, reason: 'missed' },
    ])
    await setBitcoin(id, otherBitcoin)
    expect((await until(3))[2]).toMatchObject({ id, reason: 'event' })
    close()
  })

  it('creates its watch again after it expired', async () => {
    const id = await annasId()
    const { ready, until, close } = startWatch([id], { api: through })
    await ready
    await sql`delete from event_watches`.execute(service.db)
    for (const cut of open) cut()
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toMatchObject([{ id, reason: 'event' }])
    close()
  })

  it('watch ends with its signal, and refuses wrong ids immediately', async () => {
    const controller = new AbortController()
    const client = createClient({ api })
    const { closed } = client.watch([newId()], () => {}, { signal: controller.signal })
    controller.abort()
    await closed
    expect(() => client.watch(['x'], () => {})).toThrow('x')
    expect(() => client.watch([], () => {})).toThrow('1 to 1,000')
    const nowhereClient = createClient({ api: `${service.address}/nothing`, retries: 0 })
    const { closed: failed } = nowhereClient.watch([newId()], () => {}, { onError: () => {} })
    await expect(failed).rejects.toThrow(RefusedError)
  })
})
