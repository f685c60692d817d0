import { ALPHABET_VERSION, displayFormat, type EmojiId, parseTonedEmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { announceAfterCommit } from './announce-change.ts'
import type { Deps } from './emoji-ids.ts'
import { recordRegistered } from './record-events.ts'
import type { IdOrigin } from './repository.ts'
import * as ids from './repository.ts'

type Registration = {
  pubkey?: string | null
  bought_at?: Date
  order_id?: string | null
  origin?: IdOrigin
}

/** Registers an id and records its event; returns false if it is owned. */
export async function registerId(
  deps: Deps,
  trx: Transaction,
  text: string,
  registration: Registration = {},
): Promise<boolean> {
  const id = await insertId(deps, trx, text, registration)
  if (id) await recordRegistered(deps, trx, [id])
  return id !== undefined
}

/** Registers an id. The caller records its event. */
export async function insertId(
  deps: Deps,
  trx: Transaction,
  text: string,
  registration: Registration,
): Promise<EmojiId | undefined> {
  const { pubkey = null, bought_at = null, order_id = null, origin = 'Grant' } = registration
  const { id, tones } = parseTonedEmojiId(text)
  const isRegistered = await ids.insert(trx, {
    emoji_id: id,
    display_format: displayFormat(id, tones),
    blocked_until: null,
    generation: ALPHABET_VERSION,
    token_id: null,
    pubkey,
    bought_at,
    order_id,
    origin,
  })
  if (!isRegistered) return undefined
  announceAfterCommit(deps, trx, id)
  return id
}
