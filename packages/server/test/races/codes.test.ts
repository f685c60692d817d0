import { beforeAll, describe, expect, it } from 'vitest'
import {
  type CodeView,
  cartOf,
  makeCode,
  ordersOf,
  redemptionCode,
  refusal,
  signedCode,
} from '../support/codes.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { keyPair, signActivation } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
/** Another process on the same data. */
let second: TestService
let admin: Person
let people: Person[]
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
  admin = await registerAs(service, 'Admin')
  people = await times(20, () => newcomer(service))
})

const times = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))
const either = (n: number) => ordersOf(n % 2 ? service : second)
const idOf = (n: number) => people[n]?.id ?? ''
const outcome = async (work: Promise<unknown>) => {
  const error = await refusal(work)
  return error === 'done' ? error : error.code
}
const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].map((one) => [one, outcomes.filter((o) => o === one).length]),
  )
const usesOf = (code_id: string) =>
  service.db.selectFrom('code_uses').selectAll().where('code_id', '=', code_id).execute()
const textOf = ({ redemption_code }: CodeView) => ({ code: redemption_code ?? '' })

describe('a code with one use', () => {
  it('goes to one of 20 carts at once, at two processes (T87)', async () => {
    const code = await makeCode(admin, redemptionCode({ max_uses: 1 }))
    const outcomes = await times(20, (n) =>
      outcome(either(n).reserve(textOf(code), cartOf(idOf(n)))),
    )
    expect(tally(outcomes)).toEqual({ done: 1, invalid_code: 19 })
    expect(await usesOf(code.id)).toHaveLength(1)
  })

  it('goes to one of 20 carts for a random id, and again after its order lapsed (T87)', async () => {
    const { id } = await makeCode(admin, signedCode({ max_uses: 1 }))
    const carts = people.map((person) => cartOf(person.id))
    const reserveAll = () =>
      times(20, (n) => outcome(either(n).reserve({ code_id: id }, carts[n] ?? cartOf(''))))

    expect(tally(await reserveAll())).toEqual({ done: 1, invalid_code: 19 })
    const [use] = await usesOf(id)
    await either(0).release(use?.order_id ?? '')
    expect(tally(await reserveAll())).toEqual({ done: 1, invalid_code: 19 })
    expect(await usesOf(id)).toHaveLength(1)
  })
})

it('a code with 8 uses is used 8 times despite concurrent releases and counts (R3)', async () => {
  const code = await makeCode(admin, redemptionCode({ max_uses: 8 }))
  const paidOrderIds: string[] = []
  await times(20, async (n) => {
    const orders = either(n)
    for (let attempt = 0; attempt < 3; attempt++) {
      const cart = cartOf(idOf(n))
      if ((await outcome(orders.reserve(textOf(code), cart))) !== 'done') continue
      if ((n + attempt) % 2) await orders.release(cart.order_id)
      else {
        await orders.count(cart.order_id)
        paidOrderIds.push(cart.order_id)
      }
      const uses = await usesOf(code.id)
      expect(uses.length).toBeLessThanOrEqual(8)
    }
  })
  // Carts that were too early retry after the release.
  for (let n = paidOrderIds.length; n < 8; n++) {
    const cart = cartOf(idOf(n))
    await either(n).reserve(textOf(code), cart)
    await either(n).count(cart.order_id)
  }
  expect(await outcome(either(0).reserve(textOf(code), cartOf(idOf(0))))).toBe('invalid_code')
  const countedUses = (await usesOf(code.id)).filter(({ counted_at }) => counted_at !== null)
  expect(countedUses).toHaveLength(8)
})

it.each([
  ['without a limit', {}],
  ['for one use', { max_uses: 1 }],
  ['for one id of each user', { max_emojis_per_user: 1 }],
])(
  'a code %s is applied to one cart once in 20 concurrent requests (T92)',
  async (_which, terms) => {
    const code = await makeCode(admin, redemptionCode(terms))
    const cart = cartOf(idOf(0))
    const outcomes = await times(20, (n) => outcome(either(n).reserve(textOf(code), cart)))
    expect(tally(outcomes)).toEqual({ done: 1, repeated_code: 19 })
    expect(await usesOf(code.id)).toHaveLength(1)
  },
)

it('a user with 20 carts at once gets only the ids that the limit per user allows', async () => {
  const code = await makeCode(admin, redemptionCode({ max_emojis_per_user: 5 }))
  const carts = Array.from({ length: 20 }, () => cartOf(idOf(0), {}, ['🦀🌊🐙', '🦀🐙🌊']))
  const outcomes = await times(20, (n) =>
    outcome(either(n).reserve(textOf(code), carts[n] ?? cartOf(''))),
  )
  expect(tally(outcomes)).toEqual({ done: 2, too_many_emojis: 18 })
  expect(await outcome(either(1).reserve(textOf(code), cartOf(idOf(1))))).toBe('done')
})

it('one signature activates once of 20 concurrent tries', async () => {
  const { id } = await makeCode(admin, signedCode())
  const key = keyPair()
  await admin.post(`/api/codes/${id}/pubkeys/${key.pubkey}`)
  const signatureBody = signActivation(key, admin.id, id)
  const caller = { user_id: admin.id } as Parameters<typeof service.codes.activateCode>[1]
  const outcomes = await times(20, (n) => {
    const { db, codes } = n % 2 ? service : second
    return outcome(
      db.transaction().execute((trx) => codes.activateCode(trx, caller, id, signatureBody)),
    )
  })
  expect(tally(outcomes)).toEqual({ done: 1, invalid_code: 19 })
})

it('of 40 concurrent wrong codes only the allowed number is checked', async () => {
  stopTheClock()
  const looked: number[] = []
  const outcomes = await times(40, (n) => {
    const { codes, db } = n % 2 ? service : second
    return outcome(
      codes.countAttempt({ user_id: idOf(7), network: 'codes' }, async () => {
        looked.push(n)
        const cart = cartOf(idOf(7))
        await db
          .transaction()
          .execute((trx) => codes.reserveCode(trx, { code: `WRONG-${n}` }, cart))
      }),
    )
  })
  const { invalid_code, too_many_attempts = 0, busy = 0, ...others } = tally(outcomes)
  expect([invalid_code, others]).toEqual([30, {}])
  // On a slow machine the database may abort a try: it does not count, and the next one is checked.
  expect(too_many_attempts + busy).toBe(10)
  expect(looked.length).toBeLessThanOrEqual(30 + busy)
})
