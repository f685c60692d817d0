// R4: many buyers want the same id at the same moment and pay in different ways.
import type { Findings } from './account-stage.ts'
import { findBroken } from './commerce-invariants.ts'
import { measureRaces } from './commerce-races.ts'
import { describeRemaining, settle } from './commerce-settle.ts'
import {
  inShop,
  type Order,
  type OrderResponse,
  type Person,
  payAddress,
  type Shop,
  shuffle,
  tally,
  waitUntilTrue,
} from './commerce-stage.ts'

type Sizes = { buyers: number; rounds: number; races: number }
type Try = { person: Person; way: string; order_id: string; outcome: string }
type Way = (person: Person, cart: Order) => Promise<string>

const settlesMs = 120_000

export const measureBuyers = ({ buyers, rounds, races }: Sizes): Promise<Findings> =>
  inShop(
    async (shop) => {
      const broken: string[] = []
      const people = await shop.registerMany(buyers)
      const ways = await waysOf(shop)
      const winners = new Map<string, Try>()
      const answers: string[] = []
      const answeredPaid: string[] = []
      for (let round = 0; round < rounds; round++) {
        process.stderr.write(`buyers: round ${round + 1} of ${rounds}\n`)
        const id = shop.newId()
        const tries = await race(shuffle(people), id, ways)
        answers.push(...tries.map(({ outcome }) => outcome))
        const [winner, ...others] = tries.filter(({ outcome }) => outcome === 'Paid')
        if (winner) answeredPaid.push(winner.order_id)
        if (winner && others.length === 0) winners.set(id, winner)
        else broken.push(`${id} was raced for and ended as ${describeTries(tries)}`)
        broken.push(...(await checkLosers(tries)))
      }
      broken.push(...(await checkOwners(shop, winners)))
      const racedFindings = await measureRaces(shop, races)
      broken.push(...racedFindings.broken)
      broken.push(...describeRemaining(await settle(shop, settlesMs)))
      const books = await findBroken(shop, answeredPaid)
      const figures = {
        buyers,
        rounds,
        answers: tally(answers),
        rounds_with_one_owner: winners.size,
        won_by: tally([...winners.values()].map(({ way }) => way)),
        ...racedFindings.figures,
        invariants: books.checked,
        broken: broken.length + books.broken.length,
      }
      return { figures, broken: [...broken, ...books.broken] }
    },
    { FREE_CEILING_CENTS: '1000000' },
  )

/** Every buyer has the id in the cart, and all check out at once. */
async function race(people: Person[], id: string, ways: Record<string, Way>): Promise<Try[]> {
  const carts = await Promise.all(people.map((person) => person.add(id)))
  const names = Object.keys(ways)
  return Promise.all(
    people.map(async (person, n): Promise<Try> => {
      const way = names[n % names.length] as string
      const { status, code, body } = carts[n] as OrderResponse
      const outcome = status === 200 ? await ways[way]?.(person, body) : `not in the cart: ${code}`
      return { person, way, order_id: body.id, outcome: outcome ?? '' }
    }),
  )
}

/** Returns `Paid` or the refusal code. */
async function waysOf(shop: Shop): Promise<Record<string, Way>> {
  const { redemption_code } = await shop.makeCode({ discount_as_percentage: 100 })
  return {
    async code(person, cart) {
      const begunOrder = await person.checkout('CardCheckout')
      if (begunOrder.status !== 200) return begunOrder.code
      const discountedOrder = await person.promo(redemption_code)
      if (discountedOrder.status !== 200) return `the code: ${discountedOrder.code}`
      const { status, code, body } = await person.checkout('Free', {}, cart.id)
      return status === 200 ? body.status : paidBefore(code)
    },
    async card(person, cart) {
      const begunOrder = await person.checkout('CardCheckout')
      if (begunOrder.status !== 200) return begunOrder.code
      await shop.atProvider(payAddress(begunOrder.body))
      const isPaid = async () => (await person.order(cart.id)).body.status === 'Paid'
      return (await waitUntilTrue(isPaid)) ? 'Paid' : 'paid by card and not granted'
    },
    async cash(_person, { id, total_in_cents }) {
      const cash = { amount: total_in_cents, external_reference: `till ${id}` }
      const { status, code, body } = await shop.operator.checkout('Cash', cash, id)
      return status === 200 ? body.status : paidBefore(code)
    },
  }
}

/** A request retried after an overload response may have succeeded the first time. */
const paidBefore = (code: string): string => (code === 'already_paid' ? 'Paid' : code)

/** Each losing buyer got a refusal, sees the id marked, and cannot buy it by retrying. */
async function checkLosers(tries: readonly Try[]): Promise<string[]> {
  const losers = tries.filter(({ outcome }) => outcome !== 'Paid')
  const lookups = await Promise.all(
    losers.map(async ({ person, way, outcome }) => {
      const problems: string[] = []
      if (outcome !== 'taken' && outcome !== 'pending_purchase') problems.push(outcome)
      const mark = (await person.cart()).body.order_items[0]?.marked_invalid_at_reason
      if (mark !== 'Taken' && mark !== 'PendingPurchase') problems.push(`marked ${mark}`)
      const secondOrder = await person.checkout('CardCheckout')
      if (secondOrder.code !== 'taken')
        problems.push(`then ${secondOrder.status} ${secondOrder.code}`)
      const clearedOrder = await person.clear()
      if (clearedOrder.status !== 200) problems.push(`cart not cleared: ${clearedOrder.code}`)
      return problems.map((problem) => `A loser by ${way}: ${problem}`)
    }),
  )
  return lookups.flat()
}

async function checkOwners(shop: Shop, winners: Map<string, Try>): Promise<string[]> {
  const rows = await shop.query<{ emoji_id: string; owner: string | null; paid: number }>(
    `select raced.emoji_id, k.user_id as owner,
       (select count(*)::int from order_items i join orders o on o.id = i.order_id
        where i.emoji_id = raced.emoji_id and o.status = 'Paid') as paid
     from unnest($1::text[]) as raced (emoji_id)
     left join emoji_ids e on e.emoji_id = raced.emoji_id left join keys k on k.pubkey = e.pubkey`,
    [[...winners.keys()]],
  )
  return rows
    .filter((row) => row.owner !== winners.get(row.emoji_id)?.person.id || row.paid !== 1)
    .map((row) => `Not owned by the winner, or paid more than once: ${JSON.stringify(row)}`)
}

const describeTries = (tries: readonly Try[]): string =>
  JSON.stringify(tally(tries.map(({ way, outcome }) => `${way}: ${outcome}`)))
