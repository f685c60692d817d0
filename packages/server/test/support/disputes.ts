import { expect } from 'vitest'
import { insertCardOrder } from './paid-orders.ts'
import type { buyer, Order, shopService } from './shop.ts'

type Shop = Awaited<ReturnType<typeof shopService>>
type Buyer = Awaited<ReturnType<typeof buyer>>
type CreatedObject = { id: string }
const returnUrls = {
  success_url: 'https://shop.example.com/',
  cancel_url: 'https://shop.example.com/',
}

/** Buyers whose banks withdraw the money or inquire about it. */
export function disputeSteps(shop: Shop) {
  const rowsOf = (order_id: string) =>
    shop.db.selectFrom('disputes').selectAll().where('order_id', '=', order_id).execute()

  const steps = {
    rowsOf,
    /** An order paid at a provider page, where an attempt knows only a session. */
    async boughtAtPage(person: Buyer, items: object[], organization_id?: string) {
      const cart = await person.post('/api/cart', { items, organization_id })
      if (cart.status !== 200) throw new Error(cart.body)
      const pending = await person.checkout('CardCheckout', returnUrls)
      await shop.pay(pending)
      const session = pending.payment_method_data?.session_id ?? ''
      return { order: await person.until(pending.id, 'Paid'), session }
    },
    /** An order of ids paid by card, without checkout. */
    async boughtByCard(person: Buyer, emoji_ids: readonly string[]) {
      const { order_id, intent } = await insertCardOrder(shop, person.id, emoji_ids)
      return { order: await person.order(order_id), payment: intent }
    },
    /** Opens a dispute about a session or a payment intent. */
    async open(payment: string, body: object = {}): Promise<string> {
      const kind = payment.startsWith('pi_') ? 'intents' : 'sessions'
      const answer = await shop.atProvider(`/${kind}/${payment}/dispute`, body)
      return ((await answer.json()) as CreatedObject).id
    },
    close: (dispute: string, outcome: 'won' | 'lost' | 'warning_closed') =>
      shop.atProvider(`/disputes/${dispute}/close`, { outcome }),
    /** Waits until the disputes of an order match. */
    async waitForStatus({ id }: Pick<Order, 'id'>, status: 'open' | 'won' | 'lost') {
      await expect
        .poll(async () => (await rowsOf(id)).map((row) => row.status), { timeout: 120_000 })
        .toContain(status)
      await shop.settle()
      const [row] = await rowsOf(id)
      return row as NonNullable<typeof row>
    },
    /** The provider's dispute events, newest first. */
    async events(type: string): Promise<string[]> {
      const { data } = await shop.cards<{ data: CreatedObject[] }>(`/events?type=${type}&limit=5`)
      return data.map(({ id }) => id)
    },
    deliver: (event: string) => shop.atProvider(`/events/${event}/deliver`),
    /** The frozen ids of an order. */
    async frozenOf(order_id: string): Promise<string[]> {
      const frozenIds = await shop.db
        .selectFrom('emoji_ids')
        .select('emoji_id')
        .where('order_id', '=', order_id)
        .where('frozen_at', 'is not', null)
        .orderBy('emoji_id')
        .execute()
      return frozenIds.map(({ emoji_id }) => emoji_id)
    },
  }
  return steps
}
