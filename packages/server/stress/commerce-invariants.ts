import type { AnyShop } from './commerce-stage.ts'
import { readStatement, type Statement } from './commerce-statement.ts'

/** An invariant that holds when no work is pending. The query returns violations. */
type Invariant = { sentence: string; query: string; compared?: keyof Comparison }
/** Bound to `$1` for comparison with the tables. */
type Comparison = Statement & { answered_paid: readonly { order_id: string }[] }

const items = `(select * from order_items where item_type = 'EmojiId')`
const boughtItems = `
  (select i.*, o.user_id from ${items} i join orders o on o.id = i.order_id
   where o.status = 'Paid' and i.refunded_quantity = 0)`
const lines = (where: string) =>
  `(select coalesce(sum(quantity * (unit_price_in_cents + client_fee_in_cents + company_fee_in_cents)), 0)
    from order_items where ${where})`
const total = `greatest(0, ${lines('order_id = o.id')})`
const booked = (...kinds: string[]) =>
  `(select coalesce(sum(amount_in_cents), 0) from ledger_entries
    where order_id = o.id and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}))`
const receivedSum = booked('payment', 'cash', 'override', 'write_off')
const refunded = `-${booked('refund', 'misc_refund')}`
const expectedRows = (members: string) => `jsonb_to_recordset($1::jsonb) as reported (${members})`
const reportedMoney = expectedRows(
  'provider text, reference text, key text, amount_in_cents bigint',
)
const reportedObjects = expectedRows(
  'provider text, reference text, attempt_id text, is_open boolean',
)

const invariants: Invariant[] = [
  {
    sentence: 'An id is on at most one paid order that was not refunded.',
    query: `select emoji_id as about from ${boughtItems} b group by emoji_id having count(*) > 1`,
  },
  {
    sentence: 'Every id of a paid order that was not refunded belongs to the buyer.',
    query: `select b.emoji_id as about from ${boughtItems} b
      left join emoji_ids e on e.emoji_id = b.emoji_id left join keys k on k.pubkey = e.pubkey
      where k.user_id is distinct from b.user_id`,
  },
  {
    sentence: 'Every owned id is on a paid order.',
    query: `select emoji_id as about from emoji_ids
      where emoji_id not in (select emoji_id from ${boughtItems} b)`,
  },
  {
    sentence: 'Every id refers to the paid order that bought it.',
    query: `select b.emoji_id as about from ${boughtItems} b join emoji_ids e on e.emoji_id = b.emoji_id
      where e.order_id is distinct from b.order_id`,
  },
  {
    sentence: 'An id is frozen exactly while its payment is disputed or an operator has to decide.',
    query: `select e.emoji_id as about from emoji_ids e
      left join disputes d on d.order_id = e.order_id and (d.status = 'open' or d.awaits_decision)
      where case when d.id is null then e.frozen_at is not null
        else e.frozen_at is null and d.decided_at is null end`,
  },
  {
    sentence: 'No frozen id is transferred.',
    query: `select e.emoji_id as about from emoji_ids e
      join transfers t on t.emoji_id = e.emoji_id and t.status = 'accepted'
      where t.accepted_at > e.frozen_at`,
  },
  {
    sentence:
      'No code exceeds its maximum number of uses, by its uses or by the orders that show it.',
    query: `select c.id::text as about from codes c where c.max_uses < greatest(
      (select count(*) from code_uses u where u.code_id = c.id),
      (select count(distinct o.id) from orders o join order_items i on i.order_id = o.id
       where i.code_id = c.id and o.status in ('Paid', 'PendingPayment')))`,
  },
  {
    sentence:
      'Code uses are counted on paid orders, reserved on pending orders, and exist on no other order.',
    query: `select order_id::text as about from code_uses u left join orders o on o.id = u.order_id
      where o.status is distinct from case when counted_at is null then 'PendingPayment' else 'Paid' end`,
  },
  {
    sentence: 'Every order with the discount of a code has a use of that code.',
    query: `select distinct i.order_id::text as about from order_items i
      join orders o on o.id = i.order_id and o.status in ('Paid', 'PendingPayment')
      left join code_uses u on u.order_id = i.order_id and u.code_id = i.code_id
      where i.code_id is not null and u.order_id is null`,
  },
  {
    sentence:
      'An order has several codes only if all are combinable and at most one belongs to a partner.',
    query: `select u.order_id::text as about from code_uses u join codes c on c.id = u.code_id
      group by u.order_id
      having count(*) > 1 and (not bool_and(c.combinable) or count(c.organization_id) > 1)`,
  },
  {
    sentence: 'A code that is limited to the fee discounts at most the fee of its partner.',
    query: `select d.id::text as about from order_items d
      join order_items i on i.id = d.parent_id join codes c on c.id = d.code_id
      where c.limited_to_fee and -d.unit_price_in_cents > i.client_fee_in_cents`,
  },
  {
    sentence: 'An order without a partner has no client fee.',
    query: `select o.id::text as about from orders o join order_items i on i.order_id = o.id
      where o.organization_id is null and i.client_fee_in_cents > 0`,
  },
  {
    sentence: 'A paid order received at least its total.',
    query: `select id::text as about from orders o where status = 'Paid' and ${receivedSum} < ${total}`,
  },
  {
    sentence: 'Every excess payment is owed to the buyer, to the cent.',
    query: `select id::text as about from orders o
      where status = 'Paid' and greatest(0, ${receivedSum} - ${total}) <>
        (select coalesce(-sum(amount_in_cents), 0) from ledger_entries
         where order_id = o.id and kind = 'misc_refund' and reason = 'overpayment')`,
  },
  {
    sentence: 'No refund exceeds the payments minus the amounts that banks withdrew.',
    query: `select id::text as about from orders o
      where ${receivedSum} < ${refunded}
        or ${receivedSum} < ${refunded} - ${booked('dispute')} and exists (
          select from refunds r where r.order_id = o.id and r.status <> 'done')`,
  },
  {
    sentence: 'The ledger and the disputes agree on the amounts that banks withdrew.',
    query: `select id::text as about from orders o where -${booked('dispute')} <>
      (select coalesce(sum(taken_in_cents), 0) from disputes d where d.order_id = o.id)`,
  },
  {
    sentence: 'A refund is done exactly if it is paid out, and then it has no claim.',
    query: `select id::text as about from refunds
      where case when status = 'done' then paid_out_at is null and sealed_claim is null
        else paid_out_at is not null end`,
  },
  {
    sentence: 'Every payment for a cancelled order is refunded in full.',
    query: `select id::text as about from orders o
      where status = 'Cancelled' and ${receivedSum} <> ${refunded}`,
  },
  {
    sentence: 'A draft has no payment.',
    query: `select id::text as about from orders o where status = 'Draft' and ${receivedSum} <> 0`,
  },
  {
    sentence: 'No total is negative, neither of an order nor of one id on it.',
    query: `select id::text as about from orders o where ${lines('order_id = o.id')} < 0
      union all select i.id::text from ${items} i
      where ${lines('order_items.id = i.id or order_items.parent_id = i.id')} < 0`,
  },
  {
    sentence: 'No user exceeds the limit of free ids, and every free id is counted.',
    query: `select u.id::text as about from users u where free_used > free_limit or free_used <>
      (select count(*) from order_items i join orders o on o.id = i.order_id
       where o.user_id = u.id and o.status = 'Paid' and i.item_type = 'Discount' and i.code_id is null)`,
  },
  {
    sentence: 'Every payment at a provider is in the ledger once, with its amount.',
    compared: 'payments',
    query: `select reported.reference as about from ${reportedMoney} left join ledger_entries l using (provider, reference)
      where l.kind is distinct from 'payment' or l.amount_in_cents <> reported.amount_in_cents`,
  },
  {
    sentence: 'Every payment in the ledger exists at a provider.',
    compared: 'payments',
    query: `select l.reference as about from ledger_entries l left join ${reportedMoney} using (provider, reference)
      where l.kind = 'payment' and reported.reference is null`,
  },
  {
    sentence: 'Every refund through a provider was sent once, with its amount.',
    compared: 'refunds',
    query: `select r.id::text as about from refunds r
      left join ${reportedMoney} on reported.key = r.id::text
        -- Amounts in cryptocurrency are rounded down to whole cents.
        and abs(reported.amount_in_cents - (r.amount_in_cents - r.by_bank_in_cents))
          <= case reported.provider when 'crypto' then 1 else 0 end
      where r.status <> 'by_hand' and not r.is_given_by_hand
        and r.by_bank_in_cents < r.amount_in_cents
      group by r.id having count(reported.key) <> 1 or r.status <> 'done'`,
  },
  {
    sentence: 'Every refund at a provider is owed.',
    compared: 'refunds',
    query: `select reported.reference as about from ${reportedMoney} left join refunds r on r.id::text = reported.key
      where r.id is null`,
  },
  {
    sentence: 'Every refund is in the ledger with its amount.',
    query: `select r.id::text as about from refunds r left join ledger_entries l
      on l.provider = 'refund' and l.reference = r.id::text and l.amount_in_cents = -r.amount_in_cents
      where l.id is null`,
  },
  {
    // A bank may withdraw money that was refunded before. An unpaid refund does not add to the
    // loss.
    sentence: 'Refunds and bank withdrawals of a payment do not exceed its amount.',
    query: `select l.id::text as about from ledger_entries l join refunds r on r.payment_id = l.id
      group by l.id having sum(r.amount_in_cents) > l.amount_in_cents
        or bool_or(r.status <> 'done') and sum(r.amount_in_cents) + (select
          coalesce(sum(taken_in_cents), 0) from disputes d where d.payment_id = l.id)
          > l.amount_in_cents`,
  },
  {
    sentence: 'Every attempt to pay has one provider object and stores its reference.',
    compared: 'objects',
    query: `select concat(reported.attempt_id, ' has ', string_agg(reported.reference, ' and '),
        ' and stores ', min(a.reference)) as about from ${reportedObjects}
      left join payment_attempts a on a.id::text = reported.attempt_id
      group by reported.attempt_id having count(*) > 1 or bool_or(a.reference is distinct from reported.reference)`,
  },
  {
    sentence: 'No provider accepts payments for a closed attempt.',
    compared: 'objects',
    query: `select reported.attempt_id as about from ${reportedObjects}
      join payment_attempts a on a.id::text = reported.attempt_id
      where reported.is_open and a.status = 'closed'`,
  },
  {
    sentence: 'An open attempt belongs to the current checkout of a pending order.',
    query: `select a.id::text as about from payment_attempts a join orders o on o.id = a.order_id
      where a.status = 'open' and (o.status <> 'PendingPayment' or o.round <> a.round)`,
  },
  {
    sentence: 'Only pending orders have holds.',
    query: `select h.emoji_id as about from holds h left join orders o on o.id = h.order_id
      where o.status is distinct from 'PendingPayment'`,
  },
  {
    sentence: 'A pending order holds each of its ids until it expires.',
    query: `select o.id::text as about from orders o join ${items} i on i.order_id = o.id
      left join holds h on h.emoji_id = i.emoji_id and h.order_id = o.id
      where o.status = 'PendingPayment' and o.expires_at > now()
        and coalesce(h.expires_at, '-infinity') < o.expires_at - interval '1 s'`,
  },
  {
    sentence: 'No checkout stays pending for a minute after it expired.',
    query: `select id::text as about from orders
      where status = 'PendingPayment' and expires_at < now() - interval '60 s'`,
  },
  {
    sentence: 'An order that a response reported as paid stays paid.',
    compared: 'answered_paid',
    query: `select reported.order_id as about from ${expectedRows('order_id text')}
      left join orders o on o.id::text = reported.order_id where o.status is distinct from 'Paid'`,
  },
  {
    sentence: 'Every paid order has exactly one receipt.',
    query: `select 'receipts' as about where
      (select count(*) from messages where kind = 'receipt') <>
      (select count(*) from orders o join users u on u.id = o.user_id
       where status = 'Paid' and email is not null)`,
  },
  {
    // An attempt whose lease was taken over ends as abandoned, without its key.
    sentence: 'No job has used up its attempts.',
    query: `select task_identifier as about from graphile_worker.jobs
      where attempts >= max_attempts
        and (key is not null or task_identifier not in ('payments.check', 'orders.lapse'))`,
  },
]

/** Checks all invariants and returns a sentence per violation. */
export async function findBroken(
  shop: AnyShop,
  answeredPaid: Iterable<string> = [],
): Promise<{ checked: number; broken: string[] }> {
  const statement = await readStatement(shop)
  const answered_paid = [...answeredPaid].map((order_id) => ({ order_id }))
  const compared: Comparison = { ...statement, answered_paid }
  const broken: string[] = []
  for (const { sentence, query, compared: member } of invariants) {
    const values = member ? [JSON.stringify(compared[member])] : []
    const violations = await shop.query<{ about: string }>(query, values)
    if (violations.length === 0) continue
    const some = violations.slice(0, 5).map(({ about }) => about)
    broken.push(`${sentence} Violations: ${violations.length}, such as ${some.join(', ')}`)
  }
  return { checked: invariants.length, broken }
}
