import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { at } from '../support/ids.ts'
import { press, register } from '../support/people.ts'
import { type Order, shopService } from '../support/shop.ts'

const shop = await shopService()
afterAll(() => shop.close())

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
type SearchAnswer = {
  result: { emoji_id: string; price: number; available: boolean; copy: { features: string[] } }
  alternates: { emoji_id: string; available: boolean }[]
}

it('a buyer starts a card checkout, gets the id free with a code, writes a record and looks it up', async () => {
  const person = await register(shop)
  await press(shop, await shop.linkTo(person.email))
  const query = encodeURIComponent('🌵🌮🌶️')
  const search = (await shop.get(`/api/emoji_id/search?emoji_id=${query}`)).json<SearchAnswer>()
  expect(search.result.available).toBe(true)
  expect(search.result.copy.features.length).toBeGreaterThan(0)
  expect(search.alternates.every(({ available }) => available)).toBe(true)

  const items = [{ emoji_id: search.result.emoji_id }]
  const cart = (await person.post('/api/cart', { items })).json<Order>()
  expect(cart.total_in_cents).toBe(search.result.price)
  const pending = await person.post('/api/cart/checkout', { method: 'CardCheckout' })
  expect(pending.json<Order>()).toMatchObject({ id: cart.id, status: 'PendingPayment' })
  const promo = await person.post('/api/cart/promo_code', { code: 'welcome' })
  expect(promo.json<Order>()).toMatchObject({ remaining_due_in_cents: 0 })
  const paymentAnswer = await person.post('/api/cart/checkout', { method: 'Free' })
  expect(paymentAnswer.json<Order>()).toMatchObject({ id: cart.id, status: 'Paid' })

  const own = (await person.get('/api/emoji_id')).json<string[]>()
  expect(own).toEqual([search.result.emoji_id])
  const insert = [{ tag: '0x1003', data: bitcoin }]
  expect((await person.patch(at('🌵🌮🌶️'), { insert })).status).toBe(200)
  expect((await shop.get(at('🌵🌮🌶️', '/BTC'))).body).toContain(bitcoin)
  const recent = await shop.get('/api/emoji_id/recent')
  expect(recent.json<{ result: { emoji_id: string }[] }>().result[0]?.emoji_id).toBe(own[0])
  const next = (await person.get('/api/cart')).json<Order>()
  expect(next).toMatchObject({ status: 'Draft', order_items: [] })
  expect(next.id).not.toBe(cart.id)
})

it('payment data of a buyer is in no table and no log (T112, T114)', async () => {
  const person = await register(shop)
  await press(shop, await shop.linkTo(person.email))
  const secrets = [...Object.values(shop.secrets), 'sk_test_shop']
  for (const method of ['CardCheckout', 'WalletPay']) {
    await person.post('/api/cart', {
      items: [{ emoji_id: `🐙🍕👑${method === 'WalletPay' ? '🔥' : '🐍'}` }],
    })
    const answer = await person.post('/api/cart/checkout', { method })
    const order = answer.json<Order>()
    const secret = order.payment_method_data?.client_secret ?? ''
    expect(secret).toMatch(/^pi_.*_secret_/)
    secrets.push(secret)
    const secondAnswer = await person.get('/api/cart')
    expect(secondAnswer.json<Order>().payment_method_data?.client_secret).toBe(secret)
    await person.delete('/api/cart')
  }
  await shop.settle()
  const tables = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(shop.db)
  for (const { name } of tables.rows) {
    const rows = await sql<{
      text: string
    }>`select t::text as text from ${sql.raw(name)} t`.execute(shop.db)
    const text = rows.rows.map((row) => row.text).join('\n')
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
  for (const secret of secrets) expect(shop.logged.join('\n')).not.toContain(secret)
})
