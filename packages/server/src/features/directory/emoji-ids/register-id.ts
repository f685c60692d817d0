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
  const [newId] = await insertIds(deps, trx, [text], registration)
  if (newId) await recordRegistered(deps, trx, await ids.findOwners(trx, [newId.emoji_id]))
  return newId !== undefined
}

/** Registers those ids that are not owned, and returns them. The caller records their events. */
export async function insertIds(
  deps: Deps,
  trx: Transaction,
  texts: readonly string[],
  registration: Registration,
) {
  const { pubkey = null, bought_at = null, order_id = null, origin = 'Grant' } = registration
  const parsed = texts.map((text) => parseTonedEmojiId(text))
  const newIds = await ids.insert(
    trx,
    parsed
      .map(({ id, tones }) => ({
        emoji_id: id,
        display_format: displayFormat(id, tones),
        blocked_until: null,
        generation: ALPHABET_VERSION,
        token_id: null,
        pubkey,
        bought_at,
        order_id,
        origin,
      }))
      // Against deadlocks.
      .sort((a, b) => (a.emoji_id < b.emoji_id ? -1 : 1)),
  )
  for (const { emoji_id } of newIds) announceAfterCommit(deps, trx, emoji_id as EmojiId)
  return newIds
}
