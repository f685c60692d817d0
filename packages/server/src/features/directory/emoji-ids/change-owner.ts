import { displayFormat, type EmojiId } from '@emojid/core'
import type { Transaction } from '../../../tables.ts'
import { announceAfterCommit, announceEmptied } from './announce-change.ts'
import { assertCanLeave } from './assert-can-leave.ts'
import type { Deps } from './emoji-ids.ts'
import { assertChangeable } from './read-ids.ts'
import * as ids from './repository.ts'
import type { OwnedId } from './rules.ts'

type NewOwner = {
  user_id: string | null
  organization_id: string | null
  pubkey: string
  blocked_until: Date
  isCleared: boolean
}

/** Binds an id to a key of the new owner. */
export async function changeOwner(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
  to: NewOwner,
): Promise<OwnedId> {
  const { now, beforeOwnerChange } = deps
  const { user_id, organization_id, pubkey, blocked_until, isCleared } = to
  const id = ownedId.emoji_id as EmojiId
  assertChangeable(deps, ownedId)
  assertCanLeave(ownedId, now(), 'eid')
  for (const action of beforeOwnerChange) await action(trx, ownedId)
  if (isCleared) await announceEmptied(deps, trx, id)
  const display_format = isCleared ? displayFormat(id) : ownedId.display_format
  const bound = { pubkey, blocked_until, display_format }
  const isMoved = await ids.move(trx, id, { from: ownedId.pubkey, ...bound }, now())
  if (!isMoved) throw new Error('A locked id changed its owner')
  announceAfterCommit(deps, trx, id)
  return { ...ownedId, ...bound, user_id, organization_id }
}

export const changeDisplay = ({ now }: Deps, trx: Transaction, id: EmojiId, text: string) =>
  ids.setDisplay(trx, id, text, now())
