import { request as forward } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Change, createClient, RefusedError } from '@emojid/sdk'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { webServer } from '../support/outside.ts'
import { testService } from '../support/service.ts'
import { bitcoin, createPayable, otherBitcoin } from '../support/wallet.ts'

const service = await testService()
const { api, newId: annasId, setBitcoin } = await createPayable(service)
/** A way to the service that breaks connections or collects streams. */
let isCollecting = false
const open = new Set<() => void>()
const way = await webServer((request, response) => {
  const { method, headers, url } = request
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
})
afterAll(async () => {
  await way.close()
  await service.close()
})
const through = `${way.address}/api`

/** Watches ids and collects what is reported. */
function startWatch(
  ids: readonly string[],
  options: { mode?: 'poll'; api?: string; helloMs?: number } = {},
) {
  const { api: at = api, ...more } = options
  const seenChanges: Change[] = []
  const watch = createClient({ api: at }).watch(ids, (change) => seenChanges.push(change), {
    pollMs: 50,
    ...more,
  })
  const until = async (count: number) => {
    while (seenChanges.length < count) await sleep(5)
    return seenChanges
  }
  return { ...watch, seen: seenChanges, until }
}

describe('watch', () => {
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
    for (let n = 0; n < 12; n++) {
      await setBitcoin(id, n % 2 ? bitcoin : otherBitcoin)
      if (n % 3 === 0) for (const cut of open) cut()
    }
    const versions = (await until(12)).map((change) =>
      change.reason === 'event' ? change.version : 0,
    )
    expect(versions).toHaveLength(12)
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b))
    close()
  })

  it('polls where a proxy collects the stream', async () => {
    isCollecting = true
    const id = await annasId()
    const { ready, until, close } = startWatch([id], { api: through, helloMs: 300 })
    await ready
    await setBitcoin(id, otherBitcoin)
    expect(await until(1)).toHaveLength(1)
    close()
    isCollecting = false
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

  it('ends with its signal, and refuses wrong ids immediately', async () => {
    const controller = new AbortController()
    const client = createClient({ api })
    const { closed } = client.watch([newId()], () => {}, { signal: controller.signal })
    controller.abort()
    await closed
    expect(() => client.watch(['x'], () => {})).toThrow('x')
    expect(() => client.watch([], () => {})).toThrow('1 to 1,000')
    const misdirectedClient = createClient({ api: `${service.address}/nothing`, retries: 0 })
    const { closed: failed } = misdirectedClient.watch([newId()], () => {})
    await expect(failed).rejects.toThrow(RefusedError)
  })
})
