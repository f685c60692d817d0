import type { EmojiId } from '@emojid/core'
import { afterCommit } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './emoji-ids.ts'

function announceChange({ watchers }: Deps, id: EmojiId) {
  for (const watcher of watchers) watcher.forget(id)
}

export function announceReset({ watchers }: Deps) {
  for (const watcher of watchers) watcher.clear()
}

/** A notice names the changed id, or `*` after a change of unknown extent. */
export function announceNotice(deps: Deps, payload: string) {
  if (payload === '*') announceReset(deps)
  else announceChange(deps, payload as EmojiId)
}

/**
 * Other processes get a notice. This process clears its caches before the writer gets the response.
 */
export const announceAfterCommit = (deps: Deps, trx: Transaction, id: EmojiId): void =>
  afterCommit(trx, () => announceChange(deps, id))

export async function announceFreed({ whenFreed }: Deps, trx: Transaction, id: EmojiId) {
  for (const action of whenFreed) await action(trx, id)
}

export async function announceEmptied({ whenEmptied }: Deps, trx: Transaction, id: EmojiId) {
  for (const action of whenEmptied) await action(trx, id)
}
