import { emojiAlphabet } from '@emojid/core'
import pg from 'pg'

/** Ids per buyer, and the share of purchases that a code pays for: one in this many. */
const idsPerBuyer = 4
const oneOfIsFree = 2

/** Random names, as the service assigns them. */
const steps = [
  // References are correct by construction. Checking a million takes minutes.
  'set session_replication_role = replica',
  `create table sold as
   select n, gen_random_uuid() as order_id, gen_random_uuid() as item_id, gen_random_uuid() as attempt_id,
     n / ${idsPerBuyer} as buyer, n % ${oneOfIsFree} = 0 as is_free, now() - interval '1 s' * (n / 10) as at,
     alphabet[1 + n % size] || alphabet[1 + n / size % size] || alphabet[1 + n / size / size % size]
       || alphabet[8] as emoji_id
   from generate_series(0, $1::int - 1) as n,
     (select $2::text[] as alphabet, array_length($2::text[], 1) as size) as emojis`,
  `create table buyers as
   select distinct buyer, gen_random_uuid() as user_id, md5(buyer::text) || md5('key' || buyer) as pubkey
   from (select distinct buyer from sold) as each_once`,
  `insert into users (id, email, email_verified_at, created_at, updated_at)
   select user_id, 'b-' || buyer || '@example.com', now(), now(), now() from buyers`,
  `insert into keys (pubkey, user_id, sealed_private_key, created_at)
   select pubkey, user_id, repeat('s', 120), now() from buyers`,
  `insert into emoji_ids (emoji_id, display_format, generation, pubkey, created_at)
   select emoji_id, emoji_id, 1, pubkey, at from sold join buyers using (buyer)`,
  `insert into orders (id, user_id, status, is_current, round, method, paid_at, created_at, updated_at)
   select order_id, user_id, 'Paid', false, 1, 'CardCheckout', at, at, at from sold join buyers using (buyer)`,
  `insert into order_items (id, order_id, item_type, emoji_id, display_format, unit_price_in_cents,
     rhythm_score, created_at, updated_at)
   select item_id, order_id, 'EmojiId', emoji_id, emoji_id, 400, 10, at, at from sold`,
  `insert into order_items (order_id, item_type, parent_id, code_id, unit_price_in_cents, created_at, updated_at)
   select order_id, 'Discount', item_id, $3::uuid, -400, at, at from sold where is_free`,
  `insert into code_uses (code_id, order_id, user_id, emojis, counted_at, created_at)
   select $3::uuid, order_id, user_id, 1, at, at from sold join buyers using (buyer) where is_free`,
  `insert into payment_attempts (id, order_id, user_id, round, method, provider, reference,
     amount_in_cents, snapshot, sealed, status, expires_at, created_at)
   select attempt_id, order_id, user_id, 1, 'CardCheckout', 'card', 'pi_' || md5(n::text), 400,
     json_build_object('items', repeat('x', 400)), repeat('s', 300), 'closed', at, at
   from sold join buyers using (buyer)`,
  `insert into ledger_entries (order_id, attempt_id, kind, amount_in_cents, provider, reference, created_at)
   select order_id, attempt_id, 'payment', 400, 'card', 'pi_' || md5(n::text), at from sold where not is_free`,
  `insert into payment_events (provider, event_id, attempt_id, created_at)
   select 'card', 'evt_' || md5(n::text), attempt_id, at from sold`,
  `insert into payment_customers (user_id, customer) select user_id, 'cus_' || buyer from buyers`,
  `insert into audit_entries (at, event, result, actor_id, subject_id, details)
   select at, 'order.paid', 'done', user_id, user_id, jsonb_build_object('order_id', order_id)
   from sold join buyers using (buyer)`,
  `insert into messages (id, channel, kind, status, attempts, created_at, give_up_at, finished_at)
   select gen_random_uuid(), 'mail', 'receipt', 'sent', 1, at, at + interval '1 day', at from sold`,
  'drop table sold, buyers',
  'vacuum analyze',
  // Vacuum and checkpoint now, so that they do not run during the measurement.
  'checkpoint',
]

/** Fills a migrated database with the given number of sold ids, half of them paid for by a code. */
export async function fillSales(connection: pg.ClientConfig, count: number, code_id: string) {
  const client = new pg.Client(connection)
  await client.connect()
  const values = [count, emojiAlphabet, code_id]
  for (const step of steps) {
    const usedNumbers = [1, 2, 3].filter((n) => step.includes(`$${n}`))
    const numbered = usedNumbers.reduce(
      (text, n, at) => text.replaceAll(`$${n}`, `$${at + 1}`),
      step,
    )
    await client.query(
      numbered,
      usedNumbers.map((n) => values[n - 1]),
    )
  }
  await client.end()
}
