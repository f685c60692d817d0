import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import { bearer, newcomer, type Person } from '../support/people.ts'
import { stopRefill } from '../support/refill.ts'
import type { Answer, TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let anna: Person
const { useUp, pass, resume } = stopRefill()
/** Every test begins with full buckets. */
afterEach(() => pass(60))
beforeAll(async () => {
  service = await sharedService()
  anna = await newcomer(service)
})
afterAll(resume)

const from = (address: string, person?: Person, more: Record<string, string> = {}) => ({
  headers: {
    ...(person ? bearer(person.tokens.access_token).headers : {}),
    'x-forwarded-for': address,
    ...more,
  },
})

/** Until the first is limited. */
async function ask(request: (nth: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < 300 && answers.at(-1)?.status !== 429) {
    answers.push(await request(answers.length))
  }
  return answers
}

/** This many succeed, and the next one gets 429. */
function expectLimit(answers: Answer[], count: number, usual = 200) {
  expect(answers.map(({ status }) => status)).toEqual([...Array(count).fill(usual), 429])
  expect(answers.at(-1)?.json()).toMatchObject({ code: 'rate_limited' })
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0)
}

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)

describe('requests with credentials', () => {
  it('share a rate limit by cost per network; requests without credentials do not count', async () => {
    const read = (path: string, address: string) => service.get(path, from(address, anna))
    const first = await read('/api/account', '198.51.100.1')
    useUp(33)
    const changes = await ask((nth) =>
      service.patch('/api/account', { first_name: `Anna ${nth % 2}` }, from('198.51.100.2', anna)),
    )
    const reads = ['/api/account', `/api/users/${anna.id}`, '/api/cart', '/api/emoji_id/extended']
    const refusals = [
      ...(await Promise.all(reads.map((path) => read(path, '198.51.100.3')))),
      await service.post('/api/pubkeys', {}, from('198.51.100.4', anna)),
    ]
    const lookups = [
      await service.get('/api/emoji_id/🔥🐍', from('198.51.100.1')),
      await service.get('/api/emoji_id/🔥🐍', from('198.51.100.1', anna)),
      await service.get('/api/emoji_id/search?emoji_id=🦀🌊', from('198.51.100.1')),
    ]
    const elsewhere = await read('/api/account', '192.0.2.1')

    expect(first.status).toBe(200)
    expectLimit(changes, 8)
    expect(statusesOf(refusals)).toEqual(Array(5).fill(429))
    expect(statusesOf([...lookups, elsewhere])).toEqual(Array(4).fill(200))
  })

  it('count reads less than changes', async () => {
    const read = () => service.get('/api/account', from('198.52.101.1', anna))
    await read()
    useUp(33)

    expectLimit(await ask(read), 19)
  })

  it('count with an invalid key, an invalid token and a missing right', async () => {
    const unknown = () =>
      service.get('/api/account', from('198.53.102.1', undefined, { 'x-api-key': 'unknown' }))
    const forged = () =>
      service.get('/api/account', from('198.53.102.2', undefined, { authorization: 'Bearer x.y' }))
    const forbidden = () => service.get('/api/users', from('198.53.102.3', anna))
    const first = [await unknown(), await forged(), await forbidden()]
    useUp(33.305)
    const answers = await ask((nth) => (nth === 0 ? forbidden() : nth === 1 ? forged() : unknown()))

    expect(statusesOf(first)).toEqual([401, 401, 403])
    expect(statusesOf(answers)).toEqual([403, 401, 429])
  })

  it('count only the check of the credentials if their route has a limit by cost', async () => {
    const read = (path: string) => service.get(path, from('198.54.103.1', anna))
    await read('/api/account')
    useUp(33.25)

    expectLimit(await ask(() => read('/api/cart')), 10)
  })
})

describe('exports of a list', () => {
  it('count in the rate limit of the list', async () => {
    const buyer = await newcomer(service)
    const read = (path: string) => service.get(path, from('198.55.104.1', buyer))
    const first = await read('/api/orders')
    useUp(5.5)
    const paths = ['/api/orders', '/api/orders/export']
    const answers = await ask((nth) => read(paths[nth % 2] ?? ''))
    const refusals = [await read('/api/orders'), await read('/api/orders/export')]

    expect(first.status).toBe(200)
    expectLimit(answers, 58)
    expect(statusesOf(refusals)).toEqual([429, 429])
  })

  it('exports of a list are complete, also if they use up the limit', async () => {
    const buyer = await newcomer(service)
    await insertOrders(buyer, 201)
    const read = (path: string) => service.get(path, from('198.56.105.1', buyer))
    const first = await read('/api/orders?limit=1')
    useUp(5.5)
    const pages: Answer[] = []
    while (pages.length < 55) pages.push(await read('/api/orders?limit=1'))
    const file = await fetch(
      `http://127.0.0.1:${service.port}/api/orders/export`,
      from('198.56.105.1', buyer),
    )
    const refusal = await read('/api/orders/export')
    // A file that has begun waits for the refill.
    pass(60)

    expect(statusesOf([first, ...pages])).toEqual(Array(56).fill(200))
    expect([file.status, refusal.status]).toEqual([200, 429])
    expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(1 + 201)
  })
})

describe('limits of requests', () => {
  it('count GET and HEAD of a path together', async () => {
    const answers = await ask((nth) =>
      service.call(nth % 2 ? 'HEAD' : 'GET', '/api/orders/export', from('198.57.106.1', anna)),
    )
    const head = await service.call('HEAD', '/api/orders/export', from('198.57.106.1', anna))

    expect(statusesOf(answers)).toEqual([...Array(60).fill(200), 429])
    expect(head.status).toBe(429)
  })

  it('report the limit of the wide network when it refuses', async () => {
    const path = `/api/orders/${anna.id}/resend_confirmation`
    const send = (nth: number) => service.post(path, {}, from(`198.58.${nth % 5}.1`, anna))
    const answers = await ask(send)
    const reported = (answer: Answer | undefined, names: string[]) =>
      names.map((name) => answer?.headers.get(name))
    const [first, refusal] = [answers[0], answers.at(-1)]
    const [reset, wait] = reported(refusal, ['ratelimit-reset', 'retry-after'])

    expectLimit(answers, 120, 404)
    expect(reported(first, ['ratelimit-limit', 'ratelimit-remaining'])).toEqual(['30', '29'])
    expect(reported(refusal, ['ratelimit-limit', 'ratelimit-remaining'])).toEqual(['120', '0'])
    expect(reset).toBe(wait)
  })
})

/** Copies of one paid order, without its items. */
async function insertOrders({ id }: Person, count: number) {
  const paidOrderId = await insertPaidOrder(service, id, [newId()])
  const { id: _id, ...paidOrder } = await service.db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', paidOrderId)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count - 1 }, () => ({ ...paidOrder, tracking_data: null }))
  await service.db.insertInto('orders').values(rows).execute()
}
