import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import { sharedShop } from '../support/shared-service.ts'
import { buyer, type Order } from '../support/shop.ts'

const shop = await sharedShop()

it('payment data of a buyer is in no table and no log (T112, T114)', async () => {
  const person = await buyer(shop)
  const secrets = [...Object.values(shop.secrets), 'sk_test_shop']
  for (const method of ['CardCheckout', 'WalletPay']) {
    await person.add(newId())
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
