import { ALPHABET_VERSION } from '@emojid/core'
import type { TestService } from './service.ts'

/**
 * An order paid in cash with its ids, as rows: without checkout, provider, event and receipt. For
 * tests of what happens to an order after its purchase.
 */
export async function insertPaidOrder(
  { db, clock }: Pick<TestService, 'db' | 'clock'>,
  user_id: string,
  emoji_ids: readonly string[],
): Promise<string> {
  const now = clock.now()
  const dates = { created_at: now, updated_at: now }
  const price = 400
  return db.transaction().execute(async (trx) => {
    const { pubkey } = await trx
      .selectFrom('keys')
      .select('pubkey')
      .where('user_id', '=', user_id)
      .executeTakeFirstOrThrow()
    const { id: order_id } = await trx
      .insertInto('orders')
      .values({
        user_id,
        status: 'Paid',
        is_current: false,
        is_filled: true,
        round: 1,
        method: 'Cash',
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
    await trx
      .insertInto('ledger_entries')
      .values({
        order_id,
        attempt_id: null,
        kind: 'cash',
        amount_in_cents: emoji_ids.length * price,
        provider: 'cash',
        reference: `till ${order_id}`,
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
