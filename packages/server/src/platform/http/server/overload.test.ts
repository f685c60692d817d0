import { once } from 'node:events'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOverloadGate, createPressure, createShedding } from './overload.ts'

/** The pressure after samples of the age of the queue, 100 ms apart. */
const after = (...agesMs: number[]) => {
  const measure = createPressure(400)
  return agesMs.map((ageMs, nth) => measure(ageMs, nth * 100)).at(-1)
}

describe('the age of the queue', () => {
  it('the age of the queue is no reason to refuse requests after one long turn', () => {
    expect(after(0, 4_000)).toBe('none')
    expect(after(0, 4_000, 0, 4_000, 0, 4_000)).toBe('none')
  })

  it('strains the process once it stays above a quarter of the limit', () => {
    expect(after(150, 150)).toBe('none')
    expect(after(150, 150, 150, 150)).toBe('strain')
    expect(after(150, 150, 150, 150, 50)).toBe('none')
  })

  it('the age of the queue is overload once it stays above the limit', () => {
    expect(after(500, 500, 500, 500)).toBe('overload')
    expect(after(500, 500, 500, 500, 300)).toBe('strain')
  })
})

it('shedding lasts from the first refusal until none came for five seconds', () => {
  let at = 0
  const shedding = createShedding(() => at)
  const secondsAt = (ms: number) => {
    at = ms
    return shedding.seconds()
  }
  expect(secondsAt(1_000)).toBe(0)
  for (at = 2_000; at <= 12_000; at += 2_000) shedding.note()
  expect([secondsAt(14_000), secondsAt(18_000)]).toEqual([12, 0])
  shedding.note()
  expect(secondsAt(19_000)).toBe(1)
})

describe('a request whose client left', () => {
  const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const post =
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

  /** Sends a request, resets its connection while the server waits at `hold`, then lets it go on. */
  const abandon = async (
    request: string,
    hold: (app: FastifyInstance, wait: () => Promise<void>) => void,
  ) => {
    const app = Fastify()
    onTestFinished(() => app.close())
    let goOn = () => {}
    let isHeld = () => {}
    const held = new Promise<void>((resolve) => {
      isHeld = resolve
    })
    let isFirst = true
    hold(app, async () => {
      if (!isFirst) return
      isFirst = false
      isHeld()
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
    })
    createOverloadGate(app, { maxInFlight: 1, maxDelayMs: 60_000 })(app)
    app.setErrorHandler((error, _request, reply) => reply.code(503).send({ error: String(error) }))
    app.route({ method: ['GET', 'POST'], url: '/', handler: async () => ({}) })
    await app.listen({ port: 0 })
    const { port } = app.addresses()[0] as { port: number }
    const left = new Promise((resolve) =>
      app.server.once('request', (_, response) => response.once('close', resolve)),
    )
    const client = connect(port, '127.0.0.1', () => client.write(request))
    await held
    client.resetAndDestroy()
    await left
    goOn()
    const next = connect(port, '127.0.0.1', () => next.write(request))
    const [answer] = await once(next, 'data')
    next.destroy()
    return String(answer).split(' ')[1]
  }

  it('takes no place if it left before it was counted', async () => {
    expect(await abandon(get, (app, wait) => app.addHook('onRequest', wait))).toBe('200')
  })

  it('takes no place if it left while its body was parsed', async () => {
    const parse = (app: FastifyInstance, wait: () => Promise<void>) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async () => {
        await wait()
        return {}
      })
    }
    expect(await abandon(post, parse)).toBe('200')
  })
})
