import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { at, grant, newId } from '../support/ids.ts'
import { makeBox } from '../support/lootboxes.ts'
import {
  confirmedUser,
  goodPassword,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
} from '../support/people.ts'
import {
  type Buyer,
  buyer,
  type Order,
  returningBuyer,
  type ShopService,
  shopService,
} from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'

let shop: ShopService
beforeAll(async () => {
  shop = await shopService({ LOOTBOX_SALE: 'true' })
})
afterAll(() => shop.close())

let admin: Person
let steps: ReturnType<typeof transferSteps>
beforeAll(async () => {
  admin = await registerAs(shop, 'Admin')
  steps = transferSteps(shop, admin)
})

const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const deactivate = async (id: string) =>
  expect((await admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'Scam' })).status).toBe(
    200,
  )
const activate = async (id: string) =>
  expect((await admin.post(`/api/admin/users/${id}/activate`, { reason: 'Cleared' })).status).toBe(
    200,
  )
const byCard = async (person: Buyer, card: string) => {
  const id = newId()
  const order = await person.pending('CardCheckout', [id])
  await shop.pay(order, { card })
  return { id, order }
}
/** Checks out again with the first card that the person saved. */
const payBySavedCard = async (person: Buyer) => {
  const cards = (await person.get('/api/payment_methods')).json<{ id: string }[]>()
  const body = { method: 'CardCheckout', payment_method_id: cards[0]?.id }
  return person.post('/api/cart/checkout', body)
}
/** How often the cards of a user were charged. */
const paymentsOf = async (user_id: string) => {
  const payments = await shop.db
    .selectFrom('orders')
    .innerJoin('ledger_entries as entry', 'entry.order_id', 'orders.id')
    .select('entry.id')
    .where('user_id', '=', user_id)
    .where('entry.kind', '=', 'payment')
    .execute()
  return payments.length
}
/** Waits until an order of the user is cancelled and its money is refunded. */
async function waitForRefund(user_id: string) {
  const refunds = () =>
    shop.db
      .selectFrom('orders')
      .innerJoin('ledger_entries as entry', 'entry.order_id', 'orders.id')
      .select('entry.kind')
      .where('user_id', '=', user_id)
      .where('orders.status', '=', 'Cancelled')
      .where('entry.kind', '=', 'refund')
      .execute()
  await expect.poll(async () => (await refunds()).length, { timeout: 120_000 }).toBe(1)
}
/** The days for which an id is not for sale. */
async function restOf(id: string): Promise<number> {
  const rest = await shop.db
    .selectFrom('reservations')
    .select('until')
    .where('emoji_id', '=', id)
    .executeTakeFirstOrThrow()
  return Math.round(((rest.until?.getTime() ?? 0) - shop.clock.now().getTime()) / 86_400_000)
}
/** The same mailbox in another spelling: an address is unique to its account. */
const withTag = (email: string) => email.replace('@', '+again@')
/** A new account of a removed person, with the mailbox of the old one. */
async function samePerson(removedPerson: Person) {
  const secondPerson = await buyer(shop)
  await shop.db
    .updateTable('users')
    .set({ email: withTag(removedPerson.email) })
    .where('id', '=', secondPerson.id)
    .execute()
  return secondPerson
}

describe('a removed person', () => {
  it('gets the money back instead of ids when a new account pays with the same card, and is not charged by an authorized card for an order that it cannot buy any more', async () => {
    const removedPerson = await buyer(shop)
    const first = await byCard(removedPerson, 'mastercard')
    await removedPerson.until(first.order.id, 'Paid')
    await deactivate(removedPerson.id)
    const secondPerson = await buyer(shop, { password: goodPassword })
    const second = await byCard(secondPerson, 'mastercard')
    await waitForRefund(secondPerson.id)
    expect(await shop.ownerOf(second.id)).toBeUndefined()
    const refundMail = await shop.mailAbout(secondPerson.email, 'can’t accept your card')
    expect(refundMail.text).toMatch(/We’ll refund \$\d/)
    expect(refundMail.text).toContain('contact our support at')
    // From now on the card is only authorized, and released: it is not charged again.
    const repeated = await byCard(secondPerson, 'mastercard')
    const statusOf = async ({ payment_method_data }: Order) => {
      const intent = `/payment_intents/${payment_method_data?.payment_intent_id}`
      return (await shop.cards<{ status: string }>(intent)).status
    }
    await expect.poll(() => statusOf(repeated.order), { timeout: 60_000 }).toBe('canceled')
    await shop.settle()
    const isUncharged = ({ text }: { text?: string | undefined }) =>
      text?.includes('It was not charged')
    const mails = () => shop.mailsTo(secondPerson.email).filter(isUncharged)
    await expect.poll(() => mails().length).toBe(1)
    const shown = await secondPerson.get(`/api/orders/${repeated.order.id}`)
    expect(shown.json()).toMatchObject({ payment_close_reason: 'barred_card' })
    const books = await admin.get(`/api/admin/orders/${repeated.order.id}/books`)
    const { attempts } = books.json<{ attempts: { close_reason: string | null }[] }>()
    expect(attempts.at(-1)).toMatchObject({ status: 'closed', close_reason: 'barred_card' })
    const query = `event=payment.released&subject_id=${secondPerson.id}`
    const audited = (await admin.get(`/api/admin/audit?${query}`)).json<{ data: object[] }>()
    expect(audited.data).toMatchObject([
      { details: { order_id: repeated.order.id, reason: 'barred_card' } },
    ])
    const saved = await payBySavedCard(secondPerson)
    expect([saved.status, saved.json()]).toMatchObject([422, { code: 'barred_card' }])
    expect(await paymentsOf(secondPerson.id)).toBe(1)

    // Other cards are charged once their authorization succeeded.
    await secondPerson.delete('/api/cart')
    for (const card of ['visa', 'amex']) {
      const bought = await secondPerson.pending('CardCheckout', [newId()])
      await shop.pay(bought, { card })
      await secondPerson.until(bought.id, 'Paid')
    }
    const cards = (await secondPerson.get('/api/payment_methods')).json<{ id: string }[]>()
    const accepted = cards.slice(0, 2)
    expect(await paymentsOf(secondPerson.id)).toBe(3)

    // Two cards for one order at the same time: one is charged.
    const order = await secondPerson.add(newId())
    await Promise.all(
      accepted.map(({ id: payment_method_id }) =>
        secondPerson.post('/api/cart/checkout', { method: 'CardCheckout', payment_method_id }),
      ),
    )
    await secondPerson.until(order.id, 'Paid')
    await shop.settle()
    expect(await paymentsOf(secondPerson.id)).toBe(4)

    // The account is deactivated before the payment.
    const last = await secondPerson.pending('CardCheckout', [newId()])
    await deactivate(secondPerson.id)
    await shop.pay(last, { card: 'visa' })
    await expect.poll(() => statusOf(last), { timeout: 60_000 }).toBe('canceled')
    expect(await paymentsOf(secondPerson.id)).toBe(4)
    const lastBooks = await admin.get(`/api/admin/orders/${last.id}/books`)
    expect(lastBooks.json()).toMatchObject({ attempts: [{ close_reason: 'removed_buyer' }] })

    // Once the first account is activated, the card works again.
    await activate(secondPerson.id)
    await activate(removedPerson.id)
    const activePerson = await returningBuyer(shop, secondPerson)
    const third = await activePerson.checkout('CardCheckout')
    await shop.pay(third, { card: 'mastercard' })
    await activePerson.until(third.id, 'Paid')
    expect(await paymentsOf(secondPerson.id)).toBe(5)
  })

  it('a removed person cannot check out with the mailbox of the old account, not even for free with a code', async () => {
    const removedPerson = await buyer(shop)
    const secondPerson = await samePerson(removedPerson)
    const code = await makeCode(admin, redemptionCode({ discount_as_percentage: 100 }))
    // The code covers an order whose checkout began before.
    await secondPerson.pending('CardCheckout')
    await secondPerson.promo(code.redemption_code ?? '')
    await deactivate(removedPerson.id)
    for (const method of ['Free', 'CardCheckout']) {
      const answer = await secondPerson.post('/api/cart/checkout', { method })
      expect([answer.status, answer.json()]).toMatchObject([422, { code: 'removed_buyer' }])
    }
    // Also after the old account and its personal data were deleted.
    expect((await admin.delete(`/api/users/${removedPerson.id}?reason=Asked`)).status).toBe(200)
    const answer = await secondPerson.post('/api/cart/checkout', { method: 'Free' })
    expect(answer.json()).toMatchObject({ code: 'removed_buyer' })
  })

  it('a removed person gets no ids from an order that was paid after the deactivation, but the money back', async () => {
    const removedPerson = await buyer(shop)
    const id = newId()
    const order = await removedPerson.pending('CardCheckout', [id])
    await deactivate(removedPerson.id)
    // The deactivation bars this card for the tests that follow.
    await shop.pay(order, { card: 'visa_debit' })
    await waitForRefund(removedPerson.id)
    expect(await shop.ownerOf(id)).toBeUndefined()
  })

  it('a removed person is barred from every mailbox that the account ever verified, and so is an account that had one', async () => {
    const removedPerson = await buyer(shop, { password: goodPassword })
    const newAddress = newEmail()
    const change = { email: newAddress, current_password: goodPassword }
    expect((await removedPerson.patch('/api/account', change)).status).toBe(200)
    expect((await press(shop, await shop.linkTo(newAddress))).status).toBe(200)
    await deactivate(removedPerson.id)
    const secondPerson = await samePerson(removedPerson)
    await secondPerson.add(newId())
    const checkout = () => secondPerson.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect((await checkout()).json()).toMatchObject({ code: 'removed_buyer' })
    // A fresh mailbox does not wash the account.
    await shop.db
      .updateTable('users')
      .set({ email: newEmail() })
      .where('id', '=', secondPerson.id)
      .execute()
    expect((await checkout()).json()).toMatchObject({ code: 'removed_buyer' })
    const { rows } = await sql<{ text: string }>`
      select mailbox_sha256::text as text from verified_mailboxes
      where user_id = ${removedPerson.id}`.execute(shop.db)
    expect(rows.map(({ text }) => text.length)).toEqual([66, 66])
    await activate(removedPerson.id)
    expect((await checkout()).status).toBe(200)
  })

  it('a removed person is barred from every spelling of a Gmail mailbox', async () => {
    const name = newEmail().replace(/@.*|\W/g, '')
    const spell = (dotted: string) => (id: string) =>
      shop.db.updateTable('users').set({ email: dotted }).where('id', '=', id).execute()
    const removedPerson = await buyer(shop)
    await spell(`${name.slice(0, 3)}.${name.slice(3)}@gmail.com`)(removedPerson.id)
    await deactivate(removedPerson.id)
    const spellings = [`${name}@GMAIL.com`, `${[...name].join('.')}+x@googlemail.com`]
    for (const spelling of spellings) {
      const secondPerson = await buyer(shop)
      await spell(spelling)(secondPerson.id)
      await secondPerson.add(newId())
      const answer = await secondPerson.post('/api/cart/checkout', { method: 'CardCheckout' })
      expect([answer.status, answer.json()], spelling).toMatchObject([
        422,
        { code: 'removed_buyer' },
      ])
    }
    // Other providers tell dots apart.
    const stranger = await buyer(shop)
    await spell(`${name}@gmail.com.example`)(stranger.id)
    await stranger.add(newId())
    const answer = await stranger.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect(answer.status).toBe(200)
  })

  it('a removed person can be barred after deleting the account, if an id of it was reported or suspended', async () => {
    const sellOne = async (isReported: boolean) => {
      const person = await buyer(shop)
      const { id, order } = isReported
        ? await byCard(person, 'mastercard')
        : { id: await grant(admin, { user_id: person.id }), order: undefined }
      if (order) await person.until(order.id, 'Paid')
      const report = { category: 'scam', text: `They took my money: ${id}` }
      if (isReported) expect((await shop.post(at(id, '/reports'), report)).status).toBe(200)
      const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}`
      expect((await admin.delete(`${path}?reason=Asked`)).status).toBe(200)
      expect((await person.delete(`/api/users/${person.id}`)).status).toBe(200)
      return person
    }
    const bar = (id: string) => admin.post(`/api/admin/users/${id}/deactivate`, { reason: 'Scam' })
    const honestPerson = await sellOne(false)
    const refusal = await bar(honestPerson.id)
    expect([refusal.status, refusal.json()]).toMatchObject([422, { code: 'forgotten_user' }])

    const scammer = await sellOne(true)
    const secondPerson = await samePerson(scammer)
    await secondPerson.add(newId())
    const checkout = () => secondPerson.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect((await checkout()).status).toBe(200)
    expect((await bar(scammer.id)).status).toBe(200)
    expect((await checkout()).json()).toMatchObject({ code: 'removed_buyer' })
    const cardUser = await buyer(shop)
    await byCard(cardUser, 'mastercard')
    await waitForRefund(cardUser.id)
    const path = `/api/users/${scammer.id}`
    expect((await admin.get(path)).json()).toMatchObject({ email: null, is_removed: true })
    await activate(scammer.id)
    expect((await checkout()).status).toBe(200)

    // Later the mailboxes and cards are deleted.
    const lateScammer = await sellOne(true)
    await shop.db
      .updateTable('retained_people')
      .set({ until: new Date(0) })
      .execute()
    await addJob(shop.db, 'removals.purge', {})
    const storedHashes = async () => {
      const { rows } = await sql`
        select fingerprint from card_fingerprints where user_id = ${lateScammer.id} union all
        select mailbox_sha256::text from verified_mailboxes
        where user_id = ${lateScammer.id}`.execute(shop.db)
      return rows.length
    }
    await expect.poll(storedHashes, { timeout: 60_000 }).toBe(0)
    expect((await bar(lateScammer.id)).json()).toMatchObject({ code: 'forgotten_user' })
  })

  it('a removed person is recognised by the alternate id of a device after the deletion, and by a proven wallet', async () => {
    const giveTo = async ({ id }: Pick<Person, 'id'>) =>
      (await admin.post('/api/admin/emoji_ids', { emoji_id: newId(), user_id: id })).json()['code']
    for (const deletes of [false, true]) {
      const app = { alternate_id: newEmail(), source: 'app', email: undefined }
      const wallet = { eth_address: Wallet.createRandom().address, source: 'app', proven: true }
      const connect = (user_id: string, change = {}) =>
        shop.db
          .insertInto('wallets')
          .values({ user_id, ...wallet, created_at: shop.clock.now(), ...change })
          .execute()
      const scammer = await register(shop, app)
      await connect(scammer.id)
      const id = await grant(admin, { user_id: scammer.id })
      const report = { category: 'scam', text: `They took my money: ${id}` }
      expect((await shop.post(at(id, '/reports'), report)).status).toBe(200)
      if (!deletes) await deactivate(scammer.id)
      await admin.delete(`/api/admin/emoji_ids/${encodeURIComponent(id)}?reason=Asked`)
      const removal = `/api/users/${scammer.id}`
      const by = deletes ? scammer : admin
      expect((await by.delete(deletes ? removal : `${removal}?reason=Asked`)).status).toBe(200)
      if (deletes) await deactivate(scammer.id)
      expect(await giveTo(await register(shop, app))).toBe('removed_person')
      const [withWallet, withListed] = [await register(shop), await register(shop)]
      await connect(withWallet.id)
      await connect(withListed.id, { proven: false })
      expect(await giveTo(withWallet)).toBe('removed_person')
      expect(await giveTo(withListed)).toBeUndefined()
      await activate(scammer.id)
      expect(await giveTo(withWallet)).toBeUndefined()
    }
  })

  it('a removed person gets no id by a transfer, an import or a grant, unless an operator gives it with a reason', async () => {
    const removedPerson = await buyer(shop)
    const secondPerson = await samePerson(removedPerson)
    const anna = await confirmedUser(shop)
    const offeredId = await grant(admin, { user_id: anna.id })
    const transfer = await steps.post(anna, { eid: offeredId, email: withTag(removedPerson.email) })
    expect((await steps.confirm(anna, transfer, await steps.codeTo(anna))).status).toBe(200)
    const code = await steps.codeTo({ email: withTag(removedPerson.email) })
    await deactivate(removedPerson.id)
    const acceptanceAnswer = await steps.accept(secondPerson, transfer, code)
    expect([acceptanceAnswer.status, acceptanceAnswer.json()]).toMatchObject([
      422,
      { code: 'removed_buyer' },
    ])
    expect(await steps.ownerOf(offeredId)).toEqual([anna.id])

    const rows = [{ emoji_id: newId(), user_id: secondPerson.id }]
    const importedAnswer = await admin.post('/api/admin/emoji_ids/import', {
      rows,
      reason: 'A move',
    })
    expect(importedAnswer.json()).toMatchObject({ data: [{ error: { code: 'removed_owner' } }] })

    const body = { emoji_id: newId(), user_id: secondPerson.id }
    const grantAnswer = await admin.post('/api/admin/emoji_ids', body)
    expect([grantAnswer.status, grantAnswer.json()]).toMatchObject([
      422,
      { code: 'removed_person' },
    ])
    const forced = {
      eid: offeredId,
      email: withTag(removedPerson.email),
      force_transfer: true,
      message: 'Yours',
    }
    expect((await admin.post('/api/transfers', forced)).json()).toMatchObject({
      code: 'removed_person',
    })
    const unconfirmedPerson = await register(shop, {
      email: removedPerson.email.replace('@', '+new@'),
    })
    const earlyHold = { emoji_id: newId(), user_id: unconfirmedPerson.id }
    expect((await admin.post('/api/admin/emoji_ids', earlyHold)).json()).toMatchObject({
      code: 'removed_person',
    })
    const reasonPart = { reason: 'A court decided so' }
    expect((await admin.post('/api/admin/emoji_ids', { ...body, ...reasonPart })).status).toBe(200)
    expect((await admin.post('/api/transfers', { ...forced, ...reasonPart })).status).toBe(200)
  })

  it('a removed person gets no id through an organization, and no role there that manages ids', async () => {
    const removedPerson = await buyer(shop)
    const secondPerson = await samePerson(removedPerson)
    const creationAnswer = await admin.post('/api/admin/organizations', { name: 'A shell' })
    const { id: organization_id } = creationAnswer.json<{ id: string }>()
    const member = `/api/admin/organizations/${organization_id}/members/${secondPerson.id}`
    const join = () => admin.put(member, { role: 'OrgOwner', reason: 'Asked' })
    expect((await join()).status).toBe(200)
    await deactivate(removedPerson.id)
    expect((await join()).json()).toMatchObject({ code: 'barred_member' })
    const body = { emoji_id: newId(), organization_id }
    const grantAnswer = await admin.post('/api/admin/emoji_ids', body)
    expect([grantAnswer.status, grantAnswer.json()]).toMatchObject([
      422,
      { code: 'removed_person' },
    ])
    const importedAnswer = await admin.post('/api/admin/emoji_ids/import', { rows: [body] })
    expect(importedAnswer.json()).toMatchObject({ data: [{ error: { code: 'removed_owner' } }] })
  })

  it('a removed person cannot get a suspended id back soon after its refund: it rests as long as a revoked one', async () => {
    const removedPerson = await buyer(shop)
    const id = newId()
    const order = await removedPerson.pending('CardCheckout', [id])
    // The deactivation bars this card for the tests that follow.
    await shop.pay(order, { card: 'visa_asked_later' })
    await removedPerson.until(order.id, 'Paid')
    await deactivate(removedPerson.id)
    const refund = { reason: 'Scam', override: true }
    expect((await admin.post(`/api/orders/${order.id}/refund`, refund)).status).toBe(200)
    expect(await restOf(id)).toBe(90)
    // A later, shorter rest does not end it sooner.
    const other = await buyer(shop)
    await grant(admin, { user_id: other.id }, id)
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}`
    await shop.db
      .updateTable('reservations')
      .set({ until: new Date(shop.clock.now().getTime() + 200 * 86_400_000) })
      .where('emoji_id', '=', id)
      .execute()
    expect((await admin.delete(`${path}?reason=Scam`)).status).toBe(200)
    expect(await restOf(id)).toBe(200)
  })

  it('a removed person cannot have a lootbox opened with the mailbox of the old account', async () => {
    const removedPerson = await buyer(shop)
    await deactivate(removedPerson.id)
    const secondPerson = await samePerson(removedPerson)
    const yats = [newId()]
    const box = await makeBox(admin, { status: 'Owned', owner_id: secondPerson.id, yats })
    const openingAnswer = await secondPerson.post(`/api/lootboxes/${box.id}/open`)
    expect([openingAnswer.status, openingAnswer.json()]).toMatchObject([
      422,
      { code: 'removed_buyer' },
    ])
    expect(await shop.ownerOf(yats[0] ?? '')).toBeUndefined()
  })

  it('a removed person cannot hand an id to a friend: the transfer that was open closes, and the id is suspended', async () => {
    const { anna, bert, id, transfer, code } = await steps.offered()
    await deactivate(anna.id)
    expect((await steps.accept(bert, transfer, code)).status).toBeGreaterThanOrEqual(400)
    expect(await steps.ownerOf(id)).toEqual([anna.id])
    expect((await shop.get(at(id))).status).toBe(451)
  })

  it('a removed person gets no id by an import, neither a new one nor a suspended one back', async () => {
    const removedPerson = await buyer(shop)
    const own = await grant(admin, { user_id: removedPerson.id })
    await deactivate(removedPerson.id)
    const records = [{ tag: '0x1003', data: bitcoin }]
    const importedAnswer = await admin.post('/api/admin/emoji_ids/import', {
      rows: [
        { emoji_id: newId(), user_id: removedPerson.id },
        { emoji_id: newId(), email: removedPerson.email },
        { emoji_id: own, records },
      ],
    })
    const { data } = importedAnswer.json<{ data: { error: { code: string } | null }[] }>()
    expect(data.map(({ error }) => error?.code)).toEqual([
      'inactive_owner',
      'inactive_owner',
      'suspended',
    ])
  })

  it('a removed person does not find a revoked id for sale: it rests, and then other buyers can get it', async () => {
    const removedPerson = await buyer(shop)
    const id = await grant(admin, { user_id: removedPerson.id })
    await deactivate(removedPerson.id)
    const path = `/api/admin/emoji_ids/${encodeURIComponent(id)}`
    expect((await admin.delete(`${path}?reason=Scam`)).status).toBe(200)
    const secondPerson = await buyer(shop)
    const addedOrder = await secondPerson.add(id)
    const refusal = await secondPerson.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([refusal.status, addedOrder.order_items.length]).toEqual([422, 1])
    expect(await restOf(id)).toBe(90)
    await shop.db
      .updateTable('reservations')
      .set({ until: new Date(0) })
      .where('emoji_id', '=', id)
      .execute()
    const purchaseAnswer = await secondPerson.post('/api/cart/checkout', { method: 'CardCheckout' })
    expect([purchaseAnswer.status, purchaseAnswer.json<Order>().status]).toEqual([
      200,
      'PendingPayment',
    ])
  })
})
