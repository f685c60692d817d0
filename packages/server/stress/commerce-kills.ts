// R3: all operations at once, while the service and its PostgreSQL are killed repeatedly.
// Afterwards nothing is lost or duplicated, and all sums add up.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, quantile } from './account-stage.ts'
import { findBroken } from './commerce-invariants.ts'
import { createLoad } from './commerce-load.ts'
import { describeRemaining, settle } from './commerce-settle.ts'
import { inShop, type Shop } from './commerce-stage.ts'
import { storiesOf } from './commerce-stories.ts'

const holdSeconds = 5
const people = 10
const staleHolds = 20
const promisedHealingMs = 60_000
const settlesMs = 300_000

export const measureKills = (kills: number): Promise<Findings> =>
  inShop(
    async (shop) => {
      const broken: string[] = []
      const load = createLoad(shop, broken)
      const stop = load.start(await storiesOf(shop, load), await shop.registerMany(people))
      for (let n = 0; n < kills; n++) {
        await sleep(2_000 + randomInt(5_000))
        const withPostgres = n % 2 === 1
        process.stderr.write(
          `kills: ${n + 1} of ${kills}${withPostgres ? ', PostgreSQL too' : ''}\n`,
        )
        await shop.kill({ withPostgres })
        await shop.restart()
      }
      await stop()
      const healed_ms = await measureHealing(shop)
      if (healed_ms > promisedHealingMs) broken.push(`Stale holds were there for ${healed_ms} ms`)
      const settled = await settle(shop, settlesMs)
      broken.push(...describeRemaining(settled))
      const books = await findBroken(shop, load.answeredPaid)
      const figures = {
        kills: { service: kills, of_these_with_postgres: Math.floor(kills / 2) },
        stories: load.counts,
        answered_as_paid: load.answeredPaid.size,
        orders: await countBy(shop, 'orders', 'status'),
        ledger: await countBy(shop, 'ledger_entries', 'kind'),
        stale_holds_healed_ms: { holds: staleHolds, healed_ms, promised: promisedHealingMs },
        settled_after_ms: settled.ms,
        ready_after_ms: {
          median: quantile(shop.readyMs, 0.5),
          slowest: Math.max(...shop.readyMs),
        },
        invariants: books.checked,
        broken: broken.length + books.broken.length,
      }
      return { figures, broken: [...broken, ...books.broken] }
    },
    { CART_TTL_SECONDS: String(holdSeconds), FREE_CEILING_CENTS: '1000' },
  )

/** Checkouts that expire while the service is down, and how long they outlive the restart. */
async function measureHealing(shop: Shop): Promise<number> {
  const buyers = await shop.registerMany(staleHolds)
  const begunOrders = await Promise.all(
    buyers.map(async (person) => {
      await person.add(shop.newId())
      return person.checkout('CardCheckout')
    }),
  )
  const ids = begunOrders.map(({ body }) => body.id)
  await shop.kill({ withPostgres: true })
  await sleep(holdSeconds * 1_000)
  await shop.restart()
  const start = Date.now()
  const query = `select count(*)::int as count from orders where id = any($1) and status <> 'Draft'`
  for (;;) {
    const [remainder] = await shop.query<{ count: number }>(query, [ids])
    const ms = Date.now() - start
    if (remainder?.count === 0 || ms > 2 * promisedHealingMs) return ms
    await sleep(50)
  }
}

async function countBy(shop: Shop, table: string, column: string): Promise<Record<string, number>> {
  const rows = await shop.query<{ name: string; count: number }>(
    `select ${column} as name, count(*)::int as count from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
