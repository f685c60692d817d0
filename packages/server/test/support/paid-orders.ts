import { randomUUID } from 'node:crypto'
import { ALPHABET_VERSION } from '@emojid/core'
import { findPubkey } from './ids.ts'
import type { TestService } from './service.ts'
import type { ShopService } from './shop.ts'

const price = 400

type CardPayment = { attempt_id: string; intent: string }

/**
 * The same for an order paid by card: the card provider has the payment, and reports and refunds
 * it. Costs a tenth of a checkout with its payment.
 */
export async function insertCardOrder(
  shop: ShopService,
  user_id: string,
  emoji_ids: readonly string[],
) {
  const attempt_id = randomUUID()
  await shop.atProvider('/webhooks', { off: true })
  const { id: intent } = await shop.cards<{ id: string }>('/payment_intents', {
    amount: String(emoji_ids.length * price),
    currency: 'usd',
    'automatic_payment_methods[enabled]': 'true',
    'metadata[attempt_id]': attempt_id,
  })
  await shop.atProvider(`/intents/${intent}/pay`)
  await shop.atProvider('/webhooks', { off: false })
  const order_id = await insertPaidOrder(shop, user_id, emoji_ids, { attempt_id, intent })
  return { order_id, intent }
}

/**
 * An order paid in cash with its ids, as rows: without checkout, provider, event and receipt. For
 * tests of what happens to an order after its purchase.
 */
export async function insertPaidOrder(
  { db, clock }: Pick<TestService, 'db' | 'clock'>,
  user_id: string,
  emoji_ids: readonly string[],
  card?: CardPayment,
): Promise<string> {
  const now = clock.now()
  const dates = { created_at: now, updated_at: now }
  const amount_in_cents = emoji_ids.length * price
  return db.transaction().execute(async (trx) => {
    const pubkey = await findPubkey(trx, user_id)
    const { id: order_id } = await trx
      .insertInto('orders')
      .values({
        user_id,
        status: 'Paid',
        is_current: false,
        is_filled: true,
        round: 1,
        method: card ? 'CardCheckout' : 'Cash',
        organization_id: null,
        pubkey: null,
        tracking_data: null,
        expires_at: null,
        held_until: null,
        paid_at: now,
        refund_requested_at: null,
        refund_request: null,
        refund_answered_at: null,
        refund_declined: null,
        ...dates,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const items = emoji_ids.map((emoji_id) => ({
      order_id,
      item_type: 'EmojiId' as const,
      emoji_id,
      lootbox_id: null,
      display_format: emoji_id,
      parent_id: null,
      code_id: null,
      unit_price_in_cents: price,
      rhythm_score: 1,
      marked_invalid_at: null,
      marked_invalid_at_reason: null,
      ...dates,
    }))
    await trx.insertInto('order_items').values(items).execute()
    if (card) {
      await trx
        .insertInto('payment_attempts')
        .values({
          id: card.attempt_id,
          order_id,
          user_id,
          round: 1,
          method: 'CardCheckout',
          provider: 'card',
          reference: card.intent,
          amount_in_cents,
          snapshot: '{}',
          payment_method: null,
          success_url: null,
          cancel_url: null,
          sealed: null,
          status: 'closed',
          close_reason: null,
          late_order_id: null,
          seen_at: now,
          check_at: null,
          expires_at: now,
          created_at: now,
        })
        .execute()
    }
    await trx
      .insertInto('ledger_entries')
      .values({
        order_id,
        attempt_id: card?.attempt_id ?? null,
        kind: card ? 'payment' : 'cash',
        amount_in_cents,
        provider: card ? 'card' : 'cash',
        reference: card?.intent ?? `till ${order_id}`,
        reason: null,
        actor_id: null,
        created_at: now,
      })
      .execute()
    const ids = emoji_ids.map((emoji_id) => ({
      emoji_id,
      display_format: emoji_id,
      generation: ALPHABET_VERSION,
      token_id: null,
      pubkey,
      blocked_until: null,
      bought_at: now,
      order_id,
      origin: 'Purchase' as const,
    }))
    await trx.insertInto('emoji_ids').values(ids).execute()
    return order_id
  })
}
