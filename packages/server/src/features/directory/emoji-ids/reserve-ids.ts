import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type Principal } from '../../operations/access/access.ts'
import { announceFreed } from './announce-change.ts'
import type { Deps } from './emoji-ids.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'
import type {
  ReservedExportQuery,
  ReservedImport,
  ReservedQuery,
  ReservedResult,
} from './schema.ts'

/** The same limit as for pages of lists. */
const exportedAtMost = 200

/** Reserves ids and patterns. Invalid rows are refused one by one. */
export async function reserveIds(
  deps: Deps,
  caller: Principal,
  { rows }: ReservedImport,
): Promise<ReservedResult[]> {
  const { db } = deps
  const read = rules.readReserved(rows)
  const valid = read.flatMap((row) => (row instanceof ServiceError ? [] : row))
  const knownReasons = await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    return putOnList(deps, trx, caller.user_id, valid)
  })
  return rows.map(({ pattern }, place) => {
    const row = read[place]
    if (!row || row instanceof ServiceError) return rules.refusedRow(pattern, row)
    const before = knownReasons.get(row.pattern)
    const status = before === undefined ? 'added' : before === row.reason ? 'unchanged' : 'changed'
    return { pattern, status, error: null }
  })
}

/** Adds entries to the list; returns the reasons of those that it had before. */
export async function putOnList(
  { now, audit }: Deps,
  trx: Transaction,
  reserved_by: string,
  entries: readonly rules.ReservedEntry[],
): Promise<Map<string, string>> {
  const before = await ids.countReserved(trx)
  const patterns = entries.map(({ pattern }) => pattern)
  const there = new Map(
    (await ids.findReservedRows(trx, patterns)).map(({ pattern, reason }) => [pattern, reason]),
  )
  rules.assertListFits(
    before,
    entries.filter(({ pattern }) => !there.has(pattern)),
  )
  const changedEntries = entries.filter(({ pattern, reason }) => there.get(pattern) !== reason)
  const reserved_at = now()
  await ids.putReserved(
    trx,
    changedEntries.map((row) => ({ ...row, reserved_by, reserved_at })),
  )
  await audit.writeEntries(
    trx,
    'emoji_id.reserved',
    reserved_by,
    changedEntries.map((entry) => ({ subject_id: null, details: rules.detailsOf(entry) })),
  )
  return there
}

/** Removes one entry of the list. The id of an exact entry may then be for sale. */
export function unreserveId(
  deps: Deps,
  caller: Principal,
  text: string,
  reason: string | undefined,
): Promise<void> {
  const { db, audit } = deps
  const pattern = rules.readPattern(text)
  return transact(db, async (trx) => {
    await holdCaller(trx, caller)
    const removedEntries = await ids.removeReserved(trx, pattern)
    if (!removedEntries) throw rules.unknownReservation()
    if (!rules.hasWildcard(pattern)) await announceFreed(deps, trx, pattern as EmojiId)
    await audit.writeEntry(trx, 'emoji_id.unreserved', {
      actor_id: caller.user_id,
      subject_id: null,
      details: { ...rules.detailsOf({ pattern, reason }), reserved_for: removedEntries.reason },
    })
  })
}

export async function listReserved({ db }: Deps, query: ReservedQuery) {
  const { rows, total } = await ids.findReservedPage(db, query)
  return toPage(rows, total, query)
}

/** A page of the list, with rows in the form of an import. */
export async function exportReserved({ db }: Deps, { after, limit }: ReservedExportQuery) {
  const size = Math.min(limit, exportedAtMost)
  const start = after === undefined ? '' : rules.readPattern(after)
  const data = await ids.findReservedAfter(db, start, size)
  return { data, next: data.length < size ? null : (data.at(-1)?.pattern ?? null) }
}
