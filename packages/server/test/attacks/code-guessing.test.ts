import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cartOf, makeCode, newText, ordersOf, redemptionCode, refusal } from '../support/codes.ts'
import { goodPassword, newcomer, registerAs } from '../support/people.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: TestService
let orders: ReturnType<typeof ordersOf>
let right: string
let other: string
beforeAll(async () => {
  service = await sharedService()
  const admin = await registerAs(service, 'Admin')
  right = (await makeCode(admin, redemptionCode())).redemption_code ?? ''
  const tiny = { pattern: { max_length: 1 } }
  other = (await makeCode(admin, redemptionCode(tiny))).redemption_code ?? ''
  orders = ordersOf(service)
})
beforeEach(stopTheClock)

const hour = 60 * 60_000

describe('guessing promo codes', () => {
  const guess = (user_id: string, code: string) =>
    refusal(service.codes.countAttempt(user_id, () => orders.reserve({ code }, cartOf(user_id))))
  const codeOf = (outcome: Awaited<ReturnType<typeof guess>>) =>
    outcome === 'done' ? outcome : outcome.code
  const wrongTimes = async (user_id: string, count: number) => {
    for (let n = 0; n < count; n++)
      expect(codeOf(await guess(user_id, newText()))).toBe('invalid_code')
  }

  it('is locked after 30 wrong codes on any carts, without affecting other users', async () => {
    const [eve, carl] = [
      await newcomer(service, { password: goodPassword }),
      await newcomer(service, { password: goodPassword }),
    ]
    await wrongTimes(eve.id, 30)
    const outcome = await guess(eve.id, right)
    expect(outcome).toMatchObject({ kind: 'limited', code: 'too_many_attempts' })
    expect(codeOf(await guess(carl.id, right))).toBe('done')
    service.clock.advance(2_000)
    expect(codeOf(await guess(eve.id, newText()))).toBe('invalid_code')
    service.clock.advance(1_000)
    expect(codeOf(await guess(eve.id, right))).toBe('too_many_attempts')
    service.clock.advance(hour + 60_000)
    expect(codeOf(await guess(eve.id, right))).toBe('done')
  })

  it('is not reset by correct codes in between', async () => {
    const eve = await newcomer(service, { password: goodPassword })
    for (let n = 0; n < 3; n++) {
      await wrongTimes(eve.id, 10)
      if (n < 2) expect(codeOf(await guess(eve.id, right))).toBe('done')
    }
    expect(codeOf(await guess(eve.id, right))).toBe('too_many_attempts')
  })

  it('does not count correct codes, nor codes that do not fit the cart', async () => {
    const carl = await newcomer(service, { password: goodPassword })
    for (let n = 0; n < 20; n++) {
      expect(codeOf(await guess(carl.id, right))).toBe('done')
      expect(codeOf(await guess(carl.id, other))).toBe('unfitting_code')
    }
  })
})
