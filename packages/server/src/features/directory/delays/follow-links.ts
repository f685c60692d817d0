import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Link } from '../../identity/links/links.ts'
import { dropChange } from './cancel-change.ts'
import type { Deps } from './delays.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import { keepLock } from './set-lock.ts'

/** Only for the present owner of the id. */
export function previewChange(deps: Deps, token: string) {
  const { db, links, records } = deps
  return transact(db, async (trx) => {
    const link = await links.peekLink('cancel_change', token, trx)
    const { owned, waiting } = await findLinkedChange(deps, trx, link)
    const { records: current } = await records.loadRecords(trx, owned.emoji_id as EmojiId)
    const changes = rules.describeDifference(current, rules.toDifference(waiting))
    return { emoji_id: owned.display_format, at: rules.formatTime(waiting.changes_at), changes }
  })
}

export function cancelChangeByLink(deps: Deps, token: string): Promise<string> {
  const { db, links } = deps
  return transact(db, async (trx) => {
    const link = await links.useLink(trx, 'cancel_change', token)
    const { owned, actor_id } = await findLinkedChange(deps, trx, link)
    await dropChange(deps, trx, owned, { actor_id })
    return owned.display_format
  })
}

export function previewLock(deps: Deps, token: string) {
  const { db, links, now } = deps
  return transact(db, async (trx) => {
    const { owned, lock } = await findLinkedLock(
      deps,
      trx,
      await links.peekLink('keep_delay', token, trx),
    )
    const at = rules.formatTime(lock.next_at ?? now())
    return { emoji_id: owned.display_format, at, hours: lock.hours }
  })
}

export function keepLockByLink(deps: Deps, token: string): Promise<string> {
  const { db, links } = deps
  return transact(db, async (trx) => {
    const link = await links.useLink(trx, 'keep_delay', token)
    const { owned, lock, actor_id } = await findLinkedLock(deps, trx, link)
    await keepLock(deps, trx, owned, lock.hours, actor_id)
    return owned.display_format
  })
}

/** The id of an emailed link, if its reader still owns it. */
async function findLinked({ emojiIds }: Deps, trx: Transaction, link: Link | undefined) {
  const { emoji_id, version } = link?.data ?? {}
  if (!link || !emoji_id || !version) throw rules.nothingWaits()
  const ownedId = await emojiIds.findIdToChange(trx, emoji_id as EmojiId)
  const isTheirs = ownedId && (await emojiIds.findPeopleBehind(trx, ownedId)).includes(link.user_id)
  if (!isTheirs) throw rules.nothingWaits()
  emojiIds.assertChangeable(ownedId)
  return { owned: ownedId, version, actor_id: link.user_id }
}

async function findLinkedChange(deps: Deps, trx: Transaction, link: Link | undefined) {
  const { now } = deps
  const target = await findLinked(deps, trx, link)
  const waitingChange = await delays.findWaiting(trx, target.owned.emoji_id)
  const isOver = waitingChange?.number !== target.version || waitingChange.changes_at <= now()
  if (isOver || waitingChange.by_operator) {
    throw rules.nothingWaits()
  }
  return { ...target, waiting: waitingChange }
}

async function findLinkedLock(deps: Deps, trx: Transaction, link: Link | undefined) {
  const { now } = deps
  const target = await findLinked(deps, trx, link)
  const lock = await delays.findLock(trx, target.owned.emoji_id)
  if (lock?.version !== target.version || !rules.isLowering(lock, now())) {
    throw rules.nothingWaits()
  }
  return { ...target, lock }
}
