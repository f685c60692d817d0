import { afterAll, expect, it } from 'vitest'
import { dayMs } from '../../src/platform/time.ts'
import { disputeSteps } from '../support/disputes.ts'
import { at, newId } from '../support/ids.ts'
import { goodPassword, registerAs } from '../support/people.ts'
import { buyer, returningBuyer, shopService } from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

const shop = await shopService({ MINT_AFTER_CARD_DAYS: '10' })
afterAll(() => shop.close())
const admin = await registerAs(shop, 'Admin')
const hands = transferSteps(shop, admin)
const disputes = disputeSteps(shop)
const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

type Asker = Pick<Awaited<ReturnType<typeof buyer>>, 'post'>
const ask = async (person: Asker, id: string) => {
  const answer = await person.post(at(id, '/generate_signature'), { account })
  const { code, possible_at } = answer.json<{ code?: string; possible_at?: string }>()
  return { told: code ?? answer.status, possible_at: new Date(possible_at ?? 0) }
}

it('a card payment blocks minting for some days, for later owners and during a dispute too', async () => {
  const [anna, bert] = [
    await buyer(shop, { password: goodPassword }),
    await buyer(shop, { password: goodPassword }),
  ]
  const [keptId = '', transferredId = ''] = [newId(), newId()]
  const items = [keptId, transferredId].map((emoji_id) => ({ emoji_id }))
  const start = shop.clock.now().getTime()
  const { order, session } = await disputes.boughtAtPage(anna, items)
  const refusal = await ask(anna, keptId)
  expect(refusal.told).toBe('paid_by_card')
  const waitMs = refusal.possible_at.getTime() - start
  expect(waitMs).toBeGreaterThanOrEqual(10 * dayMs)
  expect(waitMs).toBeLessThan(11 * dayMs)

  const transfer = await hands.post(anna, { eid: transferredId, email: bert.email })
  await hands.confirm(anna, transfer, await hands.codeTo(anna))
  await hands.accept(bert, transfer, await hands.codeTo(bert))
  shop.clock.advance(9 * dayMs)
  expect((await ask(await returningBuyer(shop, bert), transferredId)).told).toBe('paid_by_card')

  shop.clock.advance(dayMs)
  const later = await returningBuyer(shop, anna)
  await disputes.open(session)
  await disputes.waitForStatus(order, 'open')
  expect((await ask(later, keptId)).told).toBe('disputed')
  expect((await ask(await returningBuyer(shop, bert), transferredId)).told).toBe('disputed')
})

it('a card payment allows minting after these days, other payments immediately', async () => {
  const [carl, dora] = [await buyer(shop, { password: goodPassword }), await buyer(shop)]
  const [byCard, byCoin] = [newId(), newId()]
  for (const { person, method, id } of [
    { person: carl, method: 'CardCheckout', id: byCard },
    { person: dora, method: 'CryptoCommerce', id: byCoin },
  ]) {
    const order = await person.pending(method, [id])
    await shop.pay(order)
    await person.until(order.id, 'Paid')
  }
  expect((await ask(dora, byCoin)).told).toBe(200)
  const { possible_at } = await ask(carl, byCard)
  shop.clock.advance(possible_at.getTime() - shop.clock.now().getTime())
  expect((await ask(await returningBuyer(shop, carl), byCard)).told).toBe(200)
})
