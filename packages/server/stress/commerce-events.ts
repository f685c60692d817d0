// R6: every provider event five times, shuffled, fifty at once.
import { createHmac, randomUUID } from 'node:crypto'
import { type Findings, inParallel } from './account-stage.ts'
import { findBroken } from './commerce-invariants.ts'
import { describeRemaining, settle } from './commerce-settle.ts'
import { inShop, type Order, payAddress, type Shop, shuffle, tally } from './commerce-stage.ts'

const copies = 5
const atOnce = 50
const boughtAtOnce = 8
const settlesMs = 300_000
/** One of this many events announces a payment that does not exist. */
const oneOfIsFalse = 10

const urls = {
  success_url: 'https://shop.example.com/thanks',
  cancel_url: 'https://shop.example.com/',
}
const ways = [
  { method: 'CardCheckout' },
  { method: 'CardCheckout', ...urls },
  { method: 'CryptoCommerce' },
]

type Sale = { order: Order; isPaid: boolean }
type Event = { path: string; body: object; sign: (text: string) => Record<string, string> }

export const measureEvents = (events: number): Promise<Findings> =>
  inShop(
    async (shop) => {
      await shop.atProvider('/webhooks', { off: true })
      const sales = await beginSales(shop, events)
      process.stderr.write('events: paying\n')
      await inParallel(sales, atOnce, async ({ order, isPaid }) => {
        if (isPaid) await shop.atProvider(payAddress(order))
      })
      const earlyCount = await countPaid(shop)
      process.stderr.write('events: sending\n')
      const answers = await sendAll(shop, sales)
      const settled = await settle(shop, settlesMs)
      const broken = [
        ...Object.entries(tally(answers))
          .filter(([answer]) => answer !== '200')
          .map(([answer, times]) => `${times} events were answered ${answer}`),
        ...describeRemaining(settled),
        ...(await checkSales(shop, sales)),
      ]
      const paidSales = sales.filter(({ isPaid }) => isPaid)
      const books = await findBroken(
        shop,
        paidSales.map(({ order }) => order.id),
      )
      const figures = {
        events: sales.length,
        copies,
        at_once: atOnce,
        answers: tally(answers),
        paid_orders: paidSales.length,
        granted: await countPaid(shop),
        found_before_their_event: earlyCount,
        settled_after_the_last_event_ms: settled.ms,
        invariants: books.checked,
        broken: broken.length + books.broken.length,
      }
      return { figures, broken: [...broken, ...books.broken] }
    },
    { CART_TTL_SECONDS: '3600' },
  )

async function beginSales(shop: Shop, count: number): Promise<Sale[]> {
  const people = await shop.registerMany(count)
  const sales: Sale[] = []
  await inParallel(people.entries(), boughtAtOnce, async ([n, person]) => {
    const { method = '', ...more } = ways[n % ways.length] ?? {}
    await person.add(shop.newId())
    const { status, code, body } = await person.checkout(method, more)
    if (status !== 200) throw new Error(`Could not check out: ${code}`)
    sales.push({ order: body, isPaid: n % oneOfIsFalse !== oneOfIsFalse - 1 })
    if (sales.length % 100 === 0) process.stderr.write(`events: ${sales.length} orders wait\n`)
  })
  return sales
}

/** Sends each event several times, shuffled. Returns the response statuses. */
async function sendAll(shop: Shop, sales: readonly Sale[]): Promise<string[]> {
  const answers: string[] = []
  const deliveries = shuffle(sales.flatMap(({ order }) => deliveriesOf(shop, order)))
  await inParallel(deliveries, atOnce, async ({ path, body, sign }) => {
    const send = () =>
      shop.call('POST', `/api/webhooks/${path}`, { body, headers: sign(JSON.stringify(body)) })
    answers.push(String((await shop.patiently(send))?.status))
  })
  return answers
}

/** Repeats an event as the provider does. */
function deliveriesOf({ secrets }: Shop, { payment_method_data }: Order): Event[] {
  const { invoice_id, session_id, payment_intent_id } = payment_method_data ?? {}
  const id = randomUUID()
  return Array.from({ length: copies }, (_, copy): Event => {
    if (invoice_id) {
      const about = { type: 'InvoiceSettled', storeId: 'sandbox', invoiceId: invoice_id }
      const delivery = { deliveryId: `${id}-${copy}`, originalDeliveryId: id }
      return {
        path: 'crypto',
        body: { ...delivery, isRedelivery: copy > 0, timestamp: seconds(), ...about, metadata: {} },
        sign: (text) => ({ 'btcpay-sig': `sha256=${hmac(secrets.crypto_webhooks, text)}` }),
      }
    }
    const [object, type] = session_id
      ? [{ object: 'checkout.session', id: session_id }, 'checkout.session.completed']
      : [{ object: 'payment_intent', id: payment_intent_id }, 'payment_intent.succeeded']
    return {
      path: 'card',
      body: { id: `evt_${id}`, object: 'event', type, created: seconds(), data: { object } },
      sign(text) {
        const at = seconds()
        const signature = hmac(secrets.card_webhooks, `${at}.${text}`)
        return { 'stripe-signature': `t=${at},v1=${signature}` }
      },
    }
  })
}

/** Paid orders own their id, unpaid orders wait, and every event is stored once. */
async function checkSales(shop: Shop, sales: readonly Sale[]): Promise<string[]> {
  const rows = await shop.query<{ id: string; status: string }>('select id, status from orders')
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  const wrong = sales
    .map(({ order, isPaid }) => [isPaid ? 'Paid' : 'PendingPayment', statuses.get(order.id)])
    .filter(([expected, actual]) => expected !== actual)
    .map(([expected, actual]) => `An order is ${actual}, not ${expected}`)
  const [eventCount] = await shop.query<{ count: number }>(
    'select count(*)::int as count from payment_events where attempt_id is not null',
  )
  const isEachOnce = eventCount?.count === sales.length
  return isEachOnce ? wrong : [...wrong, `${sales.length} events are known as ${eventCount?.count}`]
}

async function countPaid(shop: Shop): Promise<number> {
  const query = `select count(*)::int as count from orders where status = 'Paid'`
  return (await shop.query<{ count: number }>(query))[0]?.count ?? 0
}

const seconds = (): number => Math.floor(Date.now() / 1_000)
const hmac = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')
