// R5: clients whose connections break at any moment retry every request with its Idempotency-Key
// until a response arrives. Each request takes effect once.
import { type Findings, inParallel } from './account-stage.ts'
import { createClient, type Effects, refundReason, type Wire } from './commerce-client.ts'
import { findBroken } from './commerce-invariants.ts'
import { describeRemaining, settle } from './commerce-settle.ts'
import { inShop, type Shop, tally } from './commerce-stage.ts'

const clients = 16
const settlesMs = 120_000

export const measureRetries = (requests: number): Promise<Findings> =>
  inShop(
    async (shop) => {
      const wire: Wire = { sent: 0, dropped: 0, answers: [], kinds: [], broken: [] }
      const effects: Effects = { orders: new Map(), registered: [] }
      const { redemption_code: code } = await shop.makeCode({ discount_as_percentage: 10 })
      const people = await shop.registerMany(clients)
      let rest = requests
      await inParallel(people, clients, async (person) => {
        const client = createClient({ shop, person, code, wire, effects })
        while (rest-- > 0) {
          if (rest % 500 === 0) process.stderr.write(`retries: ${rest} requests left\n`)
          await client.act()
        }
      })
      const broken = [
        ...wire.broken,
        ...describeRemaining(await settle(shop, settlesMs)),
        ...(await checkOrders(shop, effects)),
        ...(await checkPeople(shop, effects)),
      ]
      const books = await findBroken(shop)
      const figures = {
        requests,
        clients,
        kinds: tally(wire.kinds),
        sent: wire.sent,
        dropped: wire.dropped,
        answers: tally(wire.answers),
        duplicate_or_lost_effects: broken.length,
        invariants: books.checked,
        broken: broken.length + books.broken.length,
      }
      return { figures, broken: [...broken, ...books.broken] }
    },
    { CART_TTL_SECONDS: '7200' },
  )

/** The final state of each order in the database. */
const ordersInRows = `
  select id, round as checkouts,
    (select count(*)::int from order_items where order_id = o.id and item_type = 'EmojiId') as adds,
    (select count(*)::int from code_uses where order_id = o.id) as promos,
    (select count(*)::int from ledger_entries where order_id = o.id and kind = 'cash') as cash,
    (select count(*)::int from ledger_entries where order_id = o.id and kind = 'misc_refund'
      and reason = '${refundReason}') as misc_refunds,
    (select count(*)::int from order_items where order_id = o.id and refunded_quantity = 1) as refunded
  from orders o`

async function checkOrders(shop: Shop, { orders }: Effects): Promise<string[]> {
  const rows = await shop.query<{ id: string } & Record<string, number>>(ordersInRows)
  const countsByOrder = new Map(
    rows.map(({ id, ...counts }) => [id, counts as Record<string, number>]),
  )
  return [...orders].flatMap(([id, { refunds, ...asked }]) => {
    const { refunded, ...counted } = countsByOrder.get(id) ?? {}
    const expected = { ...asked, refunded: refunds > 0 ? asked.adds : 0 }
    const wrong = Object.entries(expected).filter(
      ([kind, times]) => ({ ...counted, refunded })[kind] !== times,
    )
    if (wrong.length === 0) return []
    return [
      `An order shows ${JSON.stringify(countsByOrder.get(id))} after ${JSON.stringify(expected)}`,
    ]
  })
}

async function checkPeople(shop: Shop, { registered }: Effects): Promise<string[]> {
  const rows = await shop.query<{ email: string }>(
    `select email from users u where email = any($1)
       and (select count(*) from keys where user_id = u.id) = 1
       and (select count(*) from audit_entries
            where subject_id = u.id and event = 'account.registered') = 1`,
    [registered],
  )
  const isEachOnce = rows.length === registered.length
  return isEachOnce ? [] : [`${registered.length} registrations made ${rows.length} accounts`]
}
