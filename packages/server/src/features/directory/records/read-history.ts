import type { EmojiId } from '@emojid/core'
import { pageBounds, toPage } from '../../../platform/http/api/paging.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import { takeTurn } from '../../../platform/turns.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import { assertMayWrite, assertNotSuspended, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import { lookupCosts } from './answer-lookup.ts'
import { showChange } from './compare-records.ts'
import type { Deps } from './records.ts'
import {
  findByOperators,
  findHistory,
  findRecordTexts,
  findStates,
  findUndone,
  findVersions,
} from './repository.ts'
import { tooLargePage, withLinks } from './rules.ts'
import type { ChangeQuery, Record as StoredRecord } from './schema.ts'

/**
 * In bytes: the minimum for a page of changes, and the maximum of the states that it compares. To
 * measure a page that is refused takes a fraction of the work.
 */
export const pageBytes = { least: 20_000, most: 20_000_000, refused: 5_000_000 }

const historyShown = 100
/** States in memory at once: 200 of them can be over 10 MB. */
const statesAtOnce = 20

/** When the records changed, without their contents. */
export async function showHistory({ emojiIds, db, limits }: Deps, id: EmojiId, network: string) {
  limits.lookups.spend(network, lookupCosts.history)
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  assertNotSuspended(ownedId)
  return findHistory(db, id, historyShown)
}

/** Lists the changes, for the owners of the id only. */
export async function listChanges(deps: Deps, caller: Principal, id: EmojiId, query: ChangeQuery) {
  const { emojiIds, db, limits } = deps
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw new UnregisteredError(id)
  assertMayWrite(caller, ownedId)
  const network = currentNetwork()
  const assertLeft = () => {
    limits.statesByNetwork.assertLeft(network)
    limits.statesByAccount.assertLeft(caller.user_id)
  }
  assertLeft()
  const people = await emojiIds.findPeopleBehind(db, ownedId)
  const { versions, total } = await findVersions(db, id, query)
  const bytes = versions.reduce((sum, version) => sum + (version.bytes ?? 0), 0)
  const isTooLarge = bytes > pageBytes.most
  const cost = isTooLarge ? pageBytes.refused : Math.max(bytes, pageBytes.least)
  // Again: concurrent requests have measured their pages meanwhile.
  assertLeft()
  limits.statesByNetwork.take(network, cost)
  limits.statesByAccount.take(caller.user_id, cost)
  if (isTooLarge) throw tooLargePage()
  const changes = await compareStates(deps, id, versions, (change) =>
    showChange(change, caller.user_id, people),
  )
  // Without the extra row.
  return toPage(changes.slice(0, pageBounds(query).limit), total, query)
}

type Version = Awaited<ReturnType<typeof findVersions>>['versions'][number]
type States = Record<'records' | 'before', StoredRecord[] | undefined>
type ComparedState = Version & States

/** Compares each state with its predecessor, the next one in the list. */
async function compareStates<View>(
  { db }: Deps,
  id: EmojiId,
  versions: readonly Version[],
  show: (state: ComparedState) => View,
): Promise<View[]> {
  const views: View[] = []
  let later: Omit<ComparedState, 'before'> | undefined
  for (let at = 0; at < versions.length; at += statesAtOnce) {
    const part = versions.slice(at, at + statesAtOnce)
    const rows = await findRecordTexts(
      db,
      id,
      part.map(({ version }) => version),
    )
    const texts = new Map(rows.map(({ version, records }) => [version, records]))
    for (const version of part) {
      const text = texts.get(version.version)
      const records: StoredRecord[] | undefined = text === undefined ? undefined : JSON.parse(text)
      if (later) views.push(show({ ...later, before: records }))
      later = { ...version, records }
      await takeTurn()
    }
  }
  if (later) views.push(show({ ...later, before: [] }))
  return views
}

/**
 * The records before and after one change; undefined if that version was deleted, or if only the
 * hash of a state is kept.
 */
export async function loadChange(trx: Transaction, id: EmojiId, version: number) {
  const [after, before] = await findStates(trx, id, version)
  if (after?.version !== version) return undefined
  if (after.records === null || before?.records === null) return undefined
  const recordsIn = (state: typeof after) =>
    withLinks(state.records as StoredRecord[], state.linked)
  return { before: before ? recordsIn(before) : [], after: recordsIn(after) }
}

/** This version and later ones, if operators made them. */
export const findOperatorVersions = async (trx: Transaction, id: EmojiId, version: number) =>
  (await findByOperators(trx, id, version)).map((change) => change.version)

/** The versions up to this one that were undone after it. */
export const findUndoneVersions = async (trx: Transaction, id: EmojiId, version: number) =>
  (await findUndone(trx, id, version)).flatMap(({ undoes }) => undoes ?? [])
