import { keyPair, signActivation } from '../test/support/schnorr.ts'
import type { Findings } from './account-stage.ts'
import {
  type OrderResponse,
  type Person,
  type Shop,
  tally,
  waitUntilTrue,
} from './commerce-stage.ts'

const contenders = 50
const checkouts = 20

/** Races for single resources: a code use, a free id, the cart itself. */
export async function measureRaces(shop: Shop, races: number): Promise<Findings> {
  const broken: string[] = []
  const answers: Record<string, string[]> = { one_use: [], one_free_id: [], one_cart: [] }
  const people = await shop.registerMany(contenders)
  const run = async (
    name: keyof typeof answers,
    race: () => Promise<OrderResponse[]>,
    winners: number,
  ) => {
    const outcomes = (await race()).map(({ status, code }) => (status === 200 ? 'done' : code))
    answers[name]?.push(...outcomes)
    const { done = 0, ...others } = tally(outcomes)
    if (done !== winners) broken.push(`${name}: ${done} done, ${JSON.stringify(others)}`)
  }
  for (let n = 0; n < races; n++) {
    process.stderr.write(`buyers: small race ${n + 1} of ${races}\n`)
    await run('one_use', () => raceForUse(shop, people, broken), 1)
    await run('one_free_id', () => raceForFreeId(shop), 1)
    await run('one_cart', () => raceOfOneCart(shop, broken), 1)
  }
  const figures = Object.entries(answers).map(([name, all]) => [name, { races, ...tally(all) }])
  return { figures: { small_races: Object.fromEntries(figures) }, broken }
}

/** Every buyer has their own cart, and the code has one use. */
async function raceForUse(
  shop: Shop,
  people: readonly Person[],
  broken: string[],
): Promise<OrderResponse[]> {
  const { redemption_code } = await shop.makeCode({ discount_as_percentage: 100, max_uses: 1 })
  await Promise.all(
    people.map(async (person) => {
      await person.clear()
      await person.add(shop.newId())
      await person.checkout('CardCheckout')
    }),
  )
  const outcomes = await Promise.all(people.map((person) => person.promo(redemption_code)))
  const winner = people[outcomes.findIndex(({ status }) => status === 200)]
  const paidOrder = await winner?.checkout('Free')
  if (paidOrder?.body.status !== 'Paid')
    broken.push('The buyer with the last use of the code did not get the id')
  return outcomes
}

/** One buyer has many carts, each with its own code, and may own one free id. */
async function raceForFreeId(shop: Shop): Promise<OrderResponse[]> {
  const person = await shop.register()
  const carts: string[] = []
  for (let n = 0; n < contenders; n++) carts.push(await randomCart(shop, person))
  const outcomes = await Promise.all(carts.map((cart) => person.checkout('Free', {}, cart)))
  // Releases leftovers so that they do not outlive the race.
  await person.clear()
  return outcomes
}

async function randomCart(shop: Shop, person: Person): Promise<string> {
  const key = keyPair()
  const { id } = await shop.makeCode({
    code_type: 'RandomYat',
    activator: 'SecretKey',
    redemption_code: undefined,
    discount_in_cents: 1,
    pattern: { min_length: 5 },
  })
  await shop.operator.insist('POST', `/codes/${id}/pubkeys/${key.pubkey}`)
  const proof = signActivation(key, person.id, id)
  const activation = await person.ask('POST', `/codes/${id}/random_yat`, proof)
  if (activation.status !== 200) throw new Error(`The random cart was refused: ${activation.code}`)
  return activation.body.id
}

/** One cart is checked out many times at once, as the current cart and by its id. */
async function raceOfOneCart(shop: Shop, broken: string[]): Promise<OrderResponse[]> {
  const person = await shop.register()
  const { redemption_code } = await shop.makeCode({ discount_as_percentage: 100 })
  const { body: cart } = await person.add(shop.newId())
  const times = Array.from({ length: checkouts }, (_, n) => (n % 2 ? cart.id : undefined))
  const pending = await Promise.all(times.map((id) => person.checkout('CardCheckout', {}, id)))
  const intentIds = new Set(pending.map(({ body }) => body.payment_method_data?.payment_intent_id))
  if (intentIds.size !== 1) broken.push(`One cart had ${intentIds.size} payment intents`)
  await person.promo(redemption_code)
  const outcomes = await Promise.all(times.map((id) => person.checkout('Free', {}, id)))
  const receipts = () =>
    shop.sink.received.filter(({ mail }) => mail.subject?.includes(cart.order_number))
  await waitUntilTrue(() => receipts().length > 0)
  if (receipts().length !== 1) broken.push(`${receipts().length} receipts for one cart`)
  return outcomes
}
