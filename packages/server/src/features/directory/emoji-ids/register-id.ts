import { ALPHABET_VERSION, displayFormat, parseTonedEmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { announceAfterCommit } from './announce-change.ts'
import type { Deps } from './deps.ts'
import * as ids from './repository.ts'
import type { IdOrigin } from './table.ts'

type Registration = {
  pubkey?: string | null
  bought_at?: Date
  order_id?: string | null
  origin?: IdOrigin
}

export async function registerId(
  deps: Deps,
  trx: Transaction,
  text: string,
  registration: Registration = {},
) {
  const { pubkey = null, bought_at = null, order_id = null, origin = 'Grant' } = registration
  const { id, tones } = parseTonedEmojiId(text)
  const registered = await ids.insert(trx, {
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
  if (registered) announceAfterCommit(deps, trx, id)
  return registered
}
