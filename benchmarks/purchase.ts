// Measures what journeys cost the database, before and after; purchases per second; and whether
// earlier sales slow them down: npm run bench:purchase. Only the first: npm run bench:purchase -- journeys
import { randomInt } from 'node:crypto'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunningPostgres } from '../packages/server/src/platform/database/embedded/server.ts'
import { freePort, launchReady, newPlace } from '../packages/server/test/support/process.ts'
import { cheapId } from './directory.ts'
import { compareJourneys } from './journeys.ts'
import { report } from './report.ts'
import { fillSales } from './sales.ts'

const sizes = { few: 10_000, many: 1_000_000 }
const rounds = 7
const buyers = 16
const warmUpMs = 1_000
const measuredMs = 10_000
const turnedAwayMs = 500
const promisedRatio = 0.9
const admin = { email: 'admin@example.com', password: 'the admin of the benchmark' }

type Shop = Awaited<ReturnType<typeof openShop>>
type Buyer = { token: string; isHalfway: boolean }
type Purchase = (shop: Shop, buyer: Buyer) => Promise<void>
type Order = { id: string; status: string; total_in_cents: number }

/** The service is overloaded or has lost its database. */
class PurchaseRefusal extends Error {}
let turnedAway = 0
const quiet = loadavg()[0]?.toFixed(2)
const journeys = await compareJourneys()
process.stderr.write(`${JSON.stringify(journeys, null, 2)}\n`)
if (process.argv[3] === 'journeys') process.exit()
const few = await openShop(sizes.few)
const many = await openShop(sizes.many)
const ways: Record<string, Purchase> = { by_code: buyByCode, in_cash: buyInCash }
const measured: Record<string, { few: number[]; many: number[] }> = {}
for (const [way, buy] of Object.entries(ways)) {
  const rates = { few: [] as number[], many: [] as number[] }
  await load(few, buy)
  await load(many, buy)
  for (let n = 0; n < rounds; n++) {
    // Alternates both, so that other load on the machine affects them equally.
    const order = n % 2 ? (['many', 'few'] as const) : (['few', 'many'] as const)
    for (const size of order) rates[size].push(await load(size === 'few' ? few : many, buy))
    process.stderr.write(`${way}: round ${n + 1} of ${rounds}\n`)
  }
  measured[way] = rates
}
await few.close()
await many.close()

const figures = Object.fromEntries(
  Object.entries(measured).map(([way, rates]) => [
    way,
    {
      per_second_few_sold: median(rates.few),
      per_second_many_sold: median(rates.many),
      ratio: roundTo(median(rates.many.map((rate, n) => rate / (rates.few[n] ?? 1))), 3),
      promised: promisedRatio,
      rounds: rates,
    },
  ]),
)
report(new URL('.', import.meta.url), 'purchase', {
  load_before: quiet,
  ids_sold: sizes,
  concurrent_buyers: buyers,
  turned_away: turnedAway,
  ...figures,
  journeys,
})
const broken = Object.entries(figures).filter(([, { ratio }]) => ratio < promisedRatio)
if (broken.length > 0) {
  const names = broken.map(([way]) => way).join(', ')
  process.stderr.write(`Not as promised, or measured on a busy machine: ${names}\n`)
  process.exitCode = 1
}

/** The built service with the given number of sold ids and registered buyers. */
async function openShop(soldCount: number) {
  const place = await newPlace()
  const service = await launchReady({
    ...place.env,
    SANDBOX_PAYMENTS: 'true',
    SANDBOX_PORT: String(await freePort()),
    ROLES: 'api,worker',
    LOG_LEVEL: 'error',
    SEED_DEMO: 'false',
    TRUST_PROXY: '127.0.0.1',
    DEV_PAGES: 'false',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  // Stops the service when this program exits for any reason.
  process.once('exit', () => service.child.kill())
  const call = async <Answer>(method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${service.url}/api${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      headers: {
        // Buyers come from many networks, each with its own rate limit.
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.1`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
    })
    const text = await answer.text()
    if (answer.status === 503) throw new PurchaseRefusal()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Answer
  }
  type Tokens = { access_token: string }
  const logIn = async () => (await call<Tokens>('POST', '/auth/token', '', admin)).access_token

  const redemption_code = 'EVERYTHING'
  const code = await call<{ id: string }>('POST', '/admin/codes', await logIn(), {
    name: 'Everything',
    code_type: 'Discount',
    activator: 'RedemptionCode',
    redemption_code,
    discount_as_percentage: 100,
  })
  process.stderr.write(`Filling a database with ${soldCount} sales\n`)
  const connection = await findRunningPostgres(place.env.DATA_DIR)
  await fillSales(connection ?? {}, soldCount, code.id)

  const operator = await logIn()
  const people: Buyer[] = []
  for (let n = 0; n < buyers; n++) {
    const email = `n-${n}@example.com`
    const createdUser = await call<Tokens>('POST', '/users', operator, { email, activate: true })
    people.push({ token: createdUser.access_token, isHalfway: false })
  }
  let ids = 0
  return {
    call,
    operator,
    redemption_code,
    people,
    newId: () => cheapId(ids++),
    async close() {
      service.child.kill('SIGTERM')
      await service.exited
      await place.clear()
    },
  }
}

/**
 * Purchases per second with all buyers active. A buyer rejected with 503 waits and starts again.
 */
async function load(shop: Shop, buy: Purchase): Promise<number> {
  const begin = performance.now() + warmUpMs
  const end = begin + measuredMs
  let boughtCount = 0
  const buyOnce = async (buyer: Buyer) => {
    if (buyer.isHalfway) await shop.call('DELETE', '/cart', buyer.token)
    buyer.isHalfway = true
    await buy(shop, buyer)
    buyer.isHalfway = false
    const at = performance.now()
    if (at >= begin && at < end) boughtCount++
  }
  const shopping = async (buyer: Buyer) => {
    while (performance.now() < end) {
      try {
        await buyOnce(buyer)
      } catch (error) {
        if (!(error instanceof PurchaseRefusal)) throw error
        turnedAway++
        await sleep(turnedAwayMs)
      }
    }
  }
  await Promise.all(shop.people.map(shopping))
  return roundTo(boughtCount / (measuredMs / 1_000), 1)
}

function addId({ call, newId }: Shop, { token }: Buyer): Promise<Order> {
  return call<Order>('POST', '/cart', token, { items: [{ emoji_id: newId() }] })
}

/** Cart, checkout, and a code that covers the price. */
async function buyByCode(shop: Shop, buyer: Buyer): Promise<void> {
  const { call, redemption_code } = shop
  const { token } = buyer
  await addId(shop, buyer)
  await call('POST', '/cart/checkout', token, { method: 'CardCheckout' })
  await call('POST', '/cart/promo_code', token, { code: redemption_code })
  assertPaid(await call<Order>('POST', '/cart/checkout', token, { method: 'Free' }))
}

/** Cart, and an operator who confirms the payment. */
async function buyInCash(shop: Shop, buyer: Buyer): Promise<void> {
  const { id, total_in_cents: amount } = await addId(shop, buyer)
  const cash = { method: 'Cash', amount, external_reference: id }
  assertPaid(await shop.call<Order>('POST', `/cart/checkout/${id}`, shop.operator, cash))
}

function assertPaid({ status }: Order): void {
  if (status !== 'Paid') throw new Error(`A purchase ended as ${status}`)
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
