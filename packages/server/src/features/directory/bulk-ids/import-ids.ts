import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { OptionalReasonBody } from '../../../platform/http/api/schemas.ts'
import { mapInTurns, takeTurn } from '../../../platform/turns.ts'
import type { Transaction } from '../../../tables.ts'
import {
  assertFresh,
  assertScope,
  holdCaller,
  type Principal,
} from '../../operations/access/access.ts'
import {
  assertMayWrite,
  notYours,
  type OwnedId,
  takenId,
  UnregisteredError,
} from '../emoji-ids/emoji-ids.ts'
import { assertSize, type KeptRecord } from '../records/records.ts'
import type { Deps } from './bulk-ids.ts'
import { catchRefusal } from './catch-refusal.ts'
import { findOwners, type Holders, holderIn } from './find-owners.ts'
import { type Grantable, grantIds, type PlacedRow } from './grant-ids.ts'
import * as rules from './rules.ts'
import type { Import, ImportResult } from './schema.ts'

type OwnedRow = {
  owned: OwnedId
  row: rules.ReadRow
  holders: Holders
  before: readonly KeptRecord[]
  how: Settings
}

type Settings = OptionalReasonBody & { isWhole: boolean }

/** Returns the outcome of each row. A dry run is rolled back. */
export async function importIds(
  deps: Deps,
  caller: Principal,
  { rows, dry_run = false, replace_all = false, reason }: Import,
): Promise<ImportResult[]> {
  const { edits, db } = deps
  const isOperator = caller.scopes.has('adminEmoji:register')
  if (isOperator) {
    assertFresh(caller, 'code_or_nothing')
    if (rows.some(({ records: newRecords }) => newRecords)) assertScope(caller, 'adminEmoji:write')
  } else rules.assertWritesAnyOrganization(caller)
  const read = await mapInTurns(rows, rules.createRowReader(edits.readWhole))
  const outcomes = await transact(db, async (trx) => {
    const allowedRows = isOperator ? read : await refuseForeignIds(deps, trx, caller, read)
    const how = { isWhole: replace_all, ...(reason ? { reason } : {}) }
    const outcomes = await importRows(deps, trx, caller, allowedRows, how)
    if (dry_run) throw new rules.DryRunRollback(outcomes)
    return outcomes
  }).catch((error) => {
    if (error instanceof rules.DryRunRollback) return error.outcomes
    throw error
  })
  return rows.map((row, place) =>
    rules.showOutcome(row, outcomes[place] ?? { status: 'unchanged' }, dry_run),
  )
}

/** Changes the records of an id that has an owner already; the owner stays. */
async function changeRecords(
  { edits }: Deps,
  trx: Transaction,
  caller: Principal,
  { owned, row, holders, before, how }: OwnedRow,
): Promise<rules.Outcome> {
  if (row.owner) rules.assertSameOwner(owned, row.owner, holderIn(holders, row.owner))
  // The owner may have changed since the id was read.
  if (!caller.scopes.has('adminEmoji:register')) assertMayWrite(caller, owned)
  if (!row.records) return { status: 'unchanged' }
  const replacement = { before, records: row.records, ...how }
  const { isChanged, changes_at, added, removed } = await edits.replaceRecords(
    trx,
    caller,
    owned,
    replacement,
  )
  return { status: isChanged || changes_at ? 'changed' : 'unchanged', added, removed }
}

/** Locks the ids that have an owner, and reads their records. */
async function lockOwnedIds(
  { emojiIds, records }: Deps,
  trx: Transaction,
  placedRows: readonly PlacedRow[],
) {
  const lockedIds = await emojiIds.lockIds(
    trx,
    placedRows.map(({ row }) => row.id),
  )
  const current = await records.loadRecordsOfMany(
    trx,
    lockedIds.map(({ emoji_id }) => emoji_id as EmojiId),
  )
  return new Map(
    lockedIds.map((ownedId) => [
      ownedId.emoji_id,
      { owned: ownedId, before: current.get(ownedId.emoji_id) ?? [] },
    ]),
  )
}

/** Members may write the ids of their organizations, and learn nothing about other ids. */
async function refuseForeignIds(
  { emojiIds }: Deps,
  trx: Transaction,
  caller: Principal,
  rows: readonly (rules.ReadRow | ServiceError)[],
) {
  const ids = rows.flatMap((row) => (row instanceof ServiceError ? [] : row.id))
  const owners = await emojiIds.findOwners(trx, ids)
  return rows.map((row) => {
    if (row instanceof ServiceError) return row
    const { organization_id = null } = owners.get(row.id) ?? {}
    return rules.isWrittenByMember(caller, row, organization_id) ? row : notYours()
  })
}

async function importRows(
  deps: Deps,
  trx: Transaction,
  caller: Principal,
  rows: readonly (rules.ReadRow | ServiceError)[],
  how: Settings,
): Promise<(rules.Outcome | undefined)[]> {
  const outcomes: (rules.Outcome | undefined)[] = rows.map((row) =>
    row instanceof ServiceError ? row : undefined,
  )
  const placed = rows.flatMap((row, place) => (row instanceof ServiceError ? [] : { place, row }))
  const ownedIds = await lockOwnedIds(deps, trx, placed)
  const holders = await findOwners(
    deps,
    trx,
    placed.flatMap(({ row }) => row.owner ?? []),
  )
  await holdCaller(trx, caller)
  const grants: Grantable[] = []
  for (const { place, row } of placed) {
    await takeTurn()
    const there = ownedIds.get(row.id)
    outcomes[place] = await catchRefusal(async () => {
      if (there) return changeRecords(deps, trx, caller, { ...there, row, holders, how })
      if (!row.owner) throw new UnregisteredError(row.id)
      assertSize([], row.records ?? [])
      grants.push({ place, row, holder: holderIn(holders, row.owner) })
      return undefined
    })
  }
  const { isWhole: _isWhole, ...reasonPart } = how
  const outcomeOf = await grantIds(deps, trx, caller, grants, reasonPart)
  for (const { place, row } of grants) outcomes[place] = outcomeOf(row)
  // Another request granted these ids meanwhile, perhaps a retry of the same import.
  const late = grants.filter(({ place }) => outcomes[place] === undefined)
  const meanwhile = await lockOwnedIds(deps, trx, late)
  for (const { place, row } of late) {
    const there = meanwhile.get(row.id)
    outcomes[place] = await catchRefusal(async () => {
      if (!there) throw takenId(row.id)
      return changeRecords(deps, trx, caller, { ...there, row, holders, how })
    })
  }
  return outcomes
}
