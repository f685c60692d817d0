import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disputeSteps } from '../support/disputes.ts'
import { at, newId } from '../support/ids.ts'
import { type Box, makeType } from '../support/lootboxes.ts'
import { type Person, registerAs } from '../support/people.ts'
import { usualPool } from '../support/service.ts'
import { buyer, type ShopService, shopService } from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

let shop: ShopService
let admin: Person
let hands: ReturnType<typeof transferSteps>
let disputes: ReturnType<typeof disputeSteps>
beforeAll(async () => {
  shop = await shopService({ LOOTBOX_SALE: 'true', MINT_AFTER_CARD_DAYS: '0', ...usualPool })
  admin = await registerAs(shop, 'Admin')
  hands = transferSteps(shop, admin)
  disputes = disputeSteps(shop)
})
afterAll(() => shop.close())
const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const codeOf = (answer: { status: number; json(): Record<string, unknown> }) =>
  answer.status === 200 ? 200 : answer.json()['code']
/** Creates the dispute without its webhook. The test notifies the service. */
async function madeUnheard(payment: string) {
  await shop.atProvider('/webhooks', { off: true })
  const reference = await disputes.open(payment)
  await shop.atProvider('/webhooks', { off: false })
  const [event = ''] = await disputes.events('charge.dispute.created')
  return { reference, event }
}

describe('at the same moment as a dispute', () => {
  it('an acceptance, a release, a signature and a refund complete before it or are refused', async () => {
    const [person, bert] = [await buyer(shop), await buyer(shop)]
    const [moving = '', released = '', signedId = ''] = [newId(), newId(), newId()]
    const { order, payment } = await disputes.boughtByCard(person, [moving, released, signedId])
    const transfer = await hands.post(person, { eid: moving, email: bert.email })
    await hands.confirm(person, transfer, await hands.codeTo(person))
    const code = await hands.codeTo(bert)
    const { event } = await madeUnheard(payment)
    const refundOfSigned = {
      reason: 'asked for it',
      item_ids: order.order_items.flatMap((item) => (item.emoji_id === signedId ? item.id : [])),
    }
    const [, ...answers] = await Promise.all([
      Promise.all([disputes.deliver(event), disputes.deliver(event)]),
      hands.accept(bert, transfer, code),
      person.delete(at(released)),
      person.post(at(signedId, '/generate_signature'), { account }),
      admin.post(`/api/orders/${order.id}/refund`, refundOfSigned),
    ])
    await disputes.waitForStatus(order, 'open')
    const [accepted, releaseOutcome, permitted, refunded] = answers.map(codeOf)

    const owners = await Promise.all([moving, released, signedId].map((id) => shop.ownerOf(id)))
    expect(owners[0]).toBe(accepted === 200 ? bert.id : person.id)
    expect(owners[1]).toBe(releaseOutcome === 200 ? undefined : person.id)
    expect(owners[2]).toBe(refunded === 200 ? undefined : person.id)
    expect([200, 'disputed']).toContain(accepted)
    expect([200, 'disputed']).toContain(releaseOutcome)
    expect([200, 'disputed', 'unregistered_emoji_id']).toContain(permitted)
    expect([200, 'disputed', 'signature_live']).toContain(refunded)
    const remainingIds = [moving, released, signedId].filter((_, nth) => owners[nth] !== undefined)
    expect(await disputes.frozenOf(order.id)).toEqual(remainingIds.toSorted())
    // Refused requests are refused again.
    const late = accepted === 200 ? bert : person
    expect(codeOf(await late.post(at(moving, '/generate_signature'), { account }))).not.toBe(200)
    expect(codeOf(await late.delete(at(moving)))).not.toBe(200)
  })

  it('a lootbox is opened before it, and its ids are frozen, or it stays closed', async () => {
    const type = await makeType(admin, {}, 900)
    const person = await buyer(shop)
    const createResponse = await admin.post('/api/lootbox_type/generate', {
      loot_box_type_id: type.id,
      num_boxes: 1,
    })
    const [box] = createResponse.json<{ loot_boxes: [Box] }>().loot_boxes
    await admin.patch(`/api/lootboxes/${box.id}`, { status: 'Available' })
    const items = [{ lootbox_id: box.id }]
    const { order, session } = await disputes.boughtAtPage(person, items)
    const { event } = await madeUnheard(session)
    const [, openingAnswer] = await Promise.all([
      disputes.deliver(event),
      person.post(`/api/lootboxes/${box.id}/open`),
    ])
    await disputes.waitForStatus(order, 'open')
    const isOpen = codeOf(openingAnswer) === 200
    if (!isOpen) expect(codeOf(openingAnswer)).toBe('disputed')
    expect(await disputes.frozenOf(order.id)).toHaveLength(isOpen ? box.yats.length : 0)
  })

  it('two ends of it, a bank decision and two operator decisions each count once', async () => {
    const [person, bert] = [await buyer(shop), await buyer(shop)]
    const id = newId()
    const { order, payment } = await disputes.boughtByCard(person, [id])
    await hands.post(admin, { eid: id, email: bert.email, force_transfer: true, reason: 'Support' })
    await shop.atProvider('/webhooks', { copies: 3, shuffled: true })
    const reference = await disputes.open(payment)
    await disputes.close(reference, 'lost')
    await shop.atProvider('/webhooks', { copies: 1, shuffled: false })
    const { id: dispute } = await disputes.waitForStatus(order, 'lost')
    const decide = (act: string) =>
      admin.post(`/api/disputes/${dispute}/${act}`, { reason: 'It was never paid for' })
    const answers = await Promise.all(['take_back', 'leave', 'take_back', 'leave'].map(decide))

    expect(answers.map(codeOf).toSorted()).toEqual([200, ...Array(3).fill('nothing_to_decide')])
    expect(await shop.ledgerOf(order.id)).toMatchObject([{ kind: 'payment' }, { kind: 'dispute' }])
    const [row] = await disputes.rowsOf(order.id)
    expect(await shop.ownerOf(id)).toBe(row?.decision === 'left' ? bert.id : undefined)
  })
})
