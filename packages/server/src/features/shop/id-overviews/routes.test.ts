import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { grant, newId } from '../../../../test/support/ids.ts'
import { confirmedUser, type Person, registerAs } from '../../../../test/support/people.ts'
import { sharedShop } from '../../../../test/support/shared-service.ts'
import { type Buyer, buyer, type Order, type ShopService } from '../../../../test/support/shop.ts'

type Overview = {
  emoji_id: string
  state: string
  price_in_cents: number | null
  registration: { order_id: string | null; bought_at: string | null } | null
  hold: { order_id: string } | null
  reservation: { reason: string } | null
  owner?: { user: { id: string; email: string } | null; organization: { id: string } | null } | null
  orders?: { id: string; status: string; email: string; refunded: boolean }[]
  transfers?: { sender_email: string; recipient_email: string; status: string }[]
  history?: { event: string; details: { reason?: string } }[]
}

let shop: ShopService
let admin: Person
let anna: Buyer
let order: Order
const id = newId()
const ownedId = newId()
beforeAll(async () => {
  shop = await sharedShop()
  admin = await registerAs(shop, 'Admin')
  anna = await buyer(shop)
  order = await anna.pending('CardCheckout', [id, ownedId])
})

const pathOf = (text: string) => `/api/admin/emoji_ids/${encodeURIComponent(text)}`
const show = async (text = id, by: Pick<Person, 'get'> = admin) =>
  (await by.get(pathOf(text))).json<Overview>()
const list = async (path: string) =>
  (await admin.get(`/api/${path}`)).json<{ data: { id: string }[] }>().data.map((row) => row.id)
const named = `emoji_id=${encodeURIComponent(id)}`

it('the overview of an id shows the id while it is held, owned, transferred and refunded', async () => {
  expect(await show()).toMatchObject({
    emoji_id: id,
    state: 'held',
    registration: null,
    owner: null,
    hold: { order_id: order.id },
    orders: [{ id: order.id, status: 'PendingPayment', email: anna.email }],
    transfers: [],
  })
  await shop.pay(order)
  await anna.until(order.id, 'Paid')
  const ownedOverview = await show()
  expect(ownedOverview).toMatchObject({
    state: 'owned',
    hold: null,
    registration: { order_id: order.id },
    owner: { user: { id: anna.id, email: anna.email }, organization: null },
    orders: [{ id: order.id, status: 'Paid', refunded: false }],
  })
  expect(ownedOverview.history?.map(({ event }) => event)).toEqual(['order.paid'])
  expect(await list(`orders?${named}`)).toEqual([order.id])
  expect(await list(`users?${named}`)).toEqual([anna.id])

  const bert = await confirmedUser(shop)
  const body = { eid: id, email: bert.email, force_transfer: true, reason: 'Won in court' }
  expect((await admin.post('/api/transfers', body)).status).toBe(200)
  const movedOverview = await show()
  expect(movedOverview.owner?.user?.id).toBe(bert.id)
  expect(movedOverview.transfers).toMatchObject([
    { sender_email: anna.email, recipient_email: bert.email, status: 'accepted' },
  ])
  expect(movedOverview.history?.[0]).toMatchObject({
    event: 'transfer.forced',
    details: { reason: 'Won in court' },
  })
  expect(await list(`users?${named}`)).toEqual([bert.id])
  expect(await list(`orders?${named}`)).toEqual([order.id])

  const refund = { reason: 'Mistake', override: true }
  expect((await admin.post(`/api/orders/${order.id}/refund`, refund)).status).toBe(200)
  // The refund revokes the id that the buyer still owns.
  expect(await show(ownedId)).toMatchObject({
    state: 'reserved',
    owner: null,
    reservation: { reason: 'cooling' },
    orders: [{ id: order.id, refunded: true }],
  })
  expect(await show()).toMatchObject({ state: 'owned', orders: [{ refunded: true }] })
  expect(await list(`users?emoji_id=${encodeURIComponent(ownedId)}`)).toEqual([])
})

it('the overview of an id accepts any spelling of the id and refuses other texts', async () => {
  const free = '🌵🌮🌶️'
  expect(await show(free)).toMatchObject({ state: 'available', owner: null, orders: [] })
  expect((await show('🌵🌮🌶')).emoji_id).toBe((await show(free)).emoji_id)
  const wrong = encodeURIComponent('🦀x')
  for (const path of [`/api/orders?emoji_id=${wrong}`, `/api/users?emoji_id=${wrong}`]) {
    expect((await admin.get(path)).status).toBe(400)
  }
  expect((await admin.get(pathOf('x'))).status).toBe(400)
})

it('the overview of an id names the entry of the reserved list, shows no price, and has both changes in its history', async () => {
  const reserved = newId()
  const rows = [{ pattern: reserved, reason: 'A brand' }]
  expect((await admin.post('/api/admin/reserved_ids/import', { rows })).status).toBe(200)
  const shownOverview = await show(reserved)
  expect(shownOverview).toMatchObject({
    state: 'reserved',
    price_in_cents: null,
    listed: { pattern: reserved, reason: 'A brand' },
    history: [{ event: 'emoji_id.reserved', details: { reason: 'A brand' } }],
  })
  const path = `/api/admin/reserved_ids?pattern=${encodeURIComponent(reserved)}&reason=Sold`
  expect((await admin.delete(path)).status).toBe(200)
  const free = await show(reserved)
  expect(free).toMatchObject({ state: 'available', listed: null })
  expect(free.history?.map(({ event }) => event)).toEqual([
    'emoji_id.unreserved',
    'emoji_id.reserved',
  ])
  // A pattern reserves it too.
  const pattern = `*${[...reserved].slice(1).join('')}`
  await admin.post('/api/admin/reserved_ids/import', { rows: [{ pattern, reason: 'Slurs' }] })
  expect(await show(reserved)).toMatchObject({ state: 'reserved', listed: { pattern } })
  // An operator who revokes an id can reserve it: the history says so.
  const revoked = await grant(admin, { user_id: anna.id })
  expect((await admin.delete(`${pathOf(revoked)}?reserve=true&reason=Slur`)).status).toBe(200)
  const goneOverview = await show(revoked)
  expect(goneOverview.state).toBe('reserved')
  expect(goneOverview.history?.map(({ event }) => event)).toEqual([
    'emoji_id.reserved',
    'emoji_id.released',
    'emoji_id.granted',
  ])
})

it('the overview of an id shows the reports of abuse about it', async () => {
  const reported = await grant(admin, { user_id: anna.id })
  expect(await show(reported)).toMatchObject({ reports: [] })
  const report = { category: 'scam', text: 'They asked for money and vanished.' }
  const sendAnswer = await shop.post(
    `/api/emoji_id/${encodeURIComponent(reported)}/reports`,
    report,
  )
  expect(sendAnswer.status).toBe(200)
  expect(await show(reported)).toMatchObject({ reports: [{ ...report, decision: null }] })
})

it('the overview of an id names its locked page data', async () => {
  const locked = await grant(admin, { user_id: anna.id })
  expect(await show(locked)).toMatchObject({ locked_keys: [] })
  const path = `${pathOf(locked)}/json/SvcPageData/lock`
  expect((await admin.put(path, { is_locked: true, reason: 'Phishing' })).status).toBe(200)
  expect(await show(locked)).toMatchObject({ locked_keys: ['SvcPageData'] })
})

it('the overview of an id names its organization', async () => {
  const creationAnswer = await admin.post('/api/admin/organizations', { name: 'Crabs' })
  const organization_id = creationAnswer.json<{ id: string }>().id
  const organizationId = await grant(admin, { organization_id })
  expect((await show(organizationId)).owner).toMatchObject({
    user: null,
    organization: { id: organization_id, name: 'Crabs' },
  })
})

it('the overview of an id shows only the parts that the scopes of an API key allow', async () => {
  const withKey = async (...scopes: string[]) => {
    const response = await admin.post('/api/api_keys', { name: 'support', scopes })
    const headers = { 'x-api-key': response.json<{ api_key: string }>().api_key }
    return shop.get(pathOf(id), { headers })
  }
  expect((await withKey('order:read')).status).toBe(403)
  const narrow = (await withKey('adminEmoji:load')).json<Overview>()
  expect(Object.keys(narrow)).not.toContain('owner')
  expect(narrow).not.toHaveProperty('orders')
  expect(narrow).not.toHaveProperty('transfers')
  expect(narrow).not.toHaveProperty('history')
  expect(narrow).toMatchObject({ withheld: ['owner', 'orders', 'transfers', 'history'] })
  const wider = (await withKey('adminEmoji:load', 'order:read')).json<Overview>()
  expect(wider.orders).toHaveLength(1)
  expect(wider).not.toHaveProperty('history')
  expect((await anna.get(pathOf(id))).status).toBe(403)
})

it('the overview of an id shows users only their own orders', async () => {
  const stranger = await confirmedUser(shop)
  const page = (await stranger.get(`/api/orders?${named}`)).json<{ data: object[] }>()
  expect(page.data).toEqual([])
  expect((await anna.orders(named)).map((one) => one.id)).toEqual([order.id])
})

it('the overview of an id bounds its lists among many entries', async () => {
  const busy = await grant(admin, { user_id: anna.id })
  await sql`insert into audit_entries (at, event, result, details)
    select now(), 'records.changed', 'done', jsonb_build_object('emoji_id', ${busy}::text)
    from generate_series(1, 200)`.execute(shop.db)
  const { history = [] } = await show(busy)
  expect(history).toHaveLength(50)
  const audit = await admin.get(`/api/admin/audit?emoji_id=${encodeURIComponent(busy)}`)
  expect(audit.json<{ paging: { total: number } }>().paging.total).toBe(201)
})
