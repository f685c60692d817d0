import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { Link } from '../../identity/links/links.ts'
import { assertSizeOfUndo, type KeptRecord } from '../records/records.ts'
import type { Deps } from './edits.ts'
import * as rules from './rules.ts'
import { loadCurrentRecords, saveVersion } from './save-edit.ts'

/** Previews what an undo link would restore, for owners of the id only. */
export async function previewUndo(
  deps: Deps,
  token: string,
): Promise<{ emoji_id: string; changes: string[] }> {
  const { db, links } = deps
  return transact(db, async (trx) => {
    const link = await links.peekLink('undo_records', token, trx)
    const { owned, before, after } = await planUndo(deps, trx, link)
    const changes = rules.addressChanges({ before, after }, 'undone')
    return { emoji_id: owned.display_format, changes }
  })
}

/**
 * Restores the addresses that one change replaced, even after later changes. Where it only moved
 * addresses, restores their order alone. Other records stay.
 */
export async function undoEdit(deps: Deps, token: string): Promise<string> {
  const { db, links, delays, audit } = deps
  return transact(db, async (trx) => {
    const link = await links.useLink(trx, 'undo_records', token)
    const plan = await planUndo(deps, trx, link)
    const { owned, version, actor_id, before, after, isSettled, standing } = plan
    // An undo also cancels the owner's change that still waits.
    if (!standing.waiting?.by_operator) await delays.dropChange(trx, owned, { actor_id })
    if (isSettled) return owned.display_format
    assertSizeOfUndo(before, after)
    // Saved even if nothing is left to restore: undo links of later changes look for this version.
    await saveVersion(deps, trx, owned, { before, after, actor_id, undoes: version })
    const details = { emoji_id: owned.emoji_id, version }
    await audit.writeEntry(trx, 'records.undone', { actor_id, subject_id: owned.user_id, details })
    return owned.display_format
  })
}

/**
 * The changes that undos of earlier versions have restored since. Undoing this version there would
 * reinstate the first of two changes by a thief.
 */
async function findEarlierUndos({ records }: Deps, trx: Transaction, id: EmojiId, version: number) {
  const replaced = new Set<string>()
  const reorders: { once: readonly KeptRecord[]; categories: string[] }[] = []
  const versions = await records.findUndoneVersions(trx, id, version)
  // The order of the earliest change counts, so it is restored last.
  for (const earlier of versions.toSorted((one, other) => other - one)) {
    const change = await records.loadChange(trx, id, earlier)
    if (!change) continue
    for (const category of rules.replacedCategories(change)) replaced.add(category)
    reorders.push({ once: change.before, categories: rules.reorderedCategories(change) })
  }
  return { replaced, reorders }
}

/** The categories that operators have changed with this version or since. */
async function findModeratedCategories(
  { records }: Deps,
  trx: Transaction,
  id: EmojiId,
  version: number,
) {
  const moderated = new Set<string>()
  for (const later of await records.findOperatorVersions(trx, id, version)) {
    const change = await records.loadChange(trx, id, later)
    for (const tag of change ? rules.changedCategories(change) : []) moderated.add(tag)
  }
  return moderated
}

/** Computes what an undo link restores now. */
async function planUndo(deps: Deps, trx: Transaction, link: Link | undefined) {
  const { emojiIds, records } = deps
  const { emoji_id, version } = link?.data ?? {}
  if (!link || !emoji_id || !version) throw rules.cannotUndo()
  const id = emoji_id as EmojiId
  const ownedId = await emojiIds.loadIdToChange(trx, id)
  const people = await emojiIds.findPeopleBehind(trx, ownedId)
  const { records: before, standing } = await loadCurrentRecords(deps, trx, ownedId)
  const undone = await records.loadChange(trx, id, version)
  if (!undone || !people.includes(link.user_id)) throw rules.cannotUndo()
  const earlier = await findEarlierUndos(deps, trx, id, version)
  const moderated = await findModeratedCategories(deps, trx, id, version)
  const isOpen = (tag: string) => !moderated.has(tag)
  if (!rules.changedCategories(undone).some(isOpen)) throw rules.moderatedChange()
  const isLeft = (tag: string) => isOpen(tag) && !earlier.replaced.has(tag)
  const replaced = rules.replacedCategories(undone).filter(isLeft)
  const reordered = rules
    .reorderedCategories(undone)
    .filter((tag) => isLeft(tag) && !earlier.reorders.some((undo) => undo.categories.includes(tag)))
  let after = rules.restoreCategories(before, undone.before, replaced)
  after = rules.restoreOrder(after, undone.before, reordered)
  // The restored addresses come back in the order that an earlier undo has restored.
  for (const { once, categories } of earlier.reorders) {
    after = rules.restoreOrder(
      after,
      once,
      categories.filter((tag) => replaced.includes(tag)),
    )
  }
  return {
    owned: ownedId,
    standing,
    version,
    actor_id: link.user_id,
    isSettled: replaced.length + reordered.length === 0,
    before,
    after,
  }
}
