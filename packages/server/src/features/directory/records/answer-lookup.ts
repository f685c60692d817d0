import type { EmojiId } from '@emojid/core'
import { takeTurn } from '../../../platform/turns.ts'
import { lookupMetric, todayMetric } from '../stats/stats.ts'
import {
  type Answer,
  answerFor,
  type Entry,
  type Lookup,
  preparedAnswer,
  recordsOf,
  sourceOf,
  type View,
} from './answers.ts'
import type { BatchResult, Deps } from './records.ts'
import type { Batch } from './schema.ts'

/** In bytes of records. Smaller ids have no rate limit, however they are looked up. */
const largeRecords = 16_000
/** Building a response takes ten times as long as sending it. A history takes a query of its own. */
export const lookupCosts = { built: 10, history: 100_000 }

/** An answer with the source it was read from; undefined without a replica. */
type SourcedAnswer<Value> = { answer: Value; source: string | undefined }

export const findEntry = async ({ cache }: Deps, id: EmojiId): Promise<Entry> =>
  (await cache.seek(id)).entry

/** Lookups of large ids count in the limit of the network. */
export async function answerLookup(
  deps: Deps,
  id: EmojiId,
  view: View,
  network: string,
): Promise<SourcedAnswer<Answer>> {
  const lookup = await lookUp(deps, id)
  const { entry } = lookup
  countLookup(deps, network, entry, preparedAnswer(entry, view) !== undefined)
  return { answer: answerFor(lookup.entry, view), source: nameSource(deps, [lookup]) }
}

/** An answer without a limit; undefined for a large id, which is left to the route. */
export async function answerSmall(
  deps: Deps,
  id: EmojiId,
  view: View,
): Promise<SourcedAnswer<Answer> | undefined> {
  const lookup = await deps.cache.seek(id)
  if (isLarge(lookup.entry)) return undefined
  const turn = preparedAnswer(lookup.entry, view) ? undefined : takeTurn()
  if (turn) await turn
  const answer = answerFor(lookup.entry, view)
  deps.stats.count(id)
  return { answer, source: nameSource(deps, [lookup]) }
}

const isLarge = ({ records }: Entry): boolean => records.length > largeRecords

/** Before the response of a large id is built or sent. */
export function countLookup(
  { limits }: Pick<Deps, 'limits'>,
  network: string,
  entry: Entry,
  wasBuilt: boolean,
): void {
  if (!isLarge(entry)) return
  limits.lookups.spend(network, entry.records.length * (wasBuilt ? 1 : lookupCosts.built))
}

/** A prepared answer, if the cache may be trusted right now; the route limits large ones. */
export function peekAnswer(
  { cache, stats }: Deps,
  id: EmojiId,
  view: View,
): Answer | 'large' | undefined {
  const entry = cache.peek(id)
  // The route sends the refusal.
  if (!entry?.registered || entry.suspended) return undefined
  if (isLarge(entry)) return 'large'
  const answer = preparedAnswer(entry, view)
  if (answer) stats.count(id)
  return answer
}

/** When a delayed change of the payment addresses takes effect. */
export async function findChangeTime(deps: Deps, id: EmojiId): Promise<Date | undefined> {
  const { changes_at } = await findEntry(deps, id)
  return changes_at === null ? undefined : new Date(changes_at)
}

export const lookUpRecords = async (deps: Deps, id: EmojiId) =>
  recordsOf((await lookUp(deps, id)).entry)

/** Counts an opened payment sheet of an id; its records were counted as a lookup. */
export const countSheet = ({ stats }: Deps, id: EmojiId): void => stats.countSheet(id)

export async function lookUpBatch(
  deps: Deps,
  batch: Batch,
  network: string,
): Promise<SourcedAnswer<BatchResult>> {
  const answer = await deps.batches.lookUp(batch, network)
  return { answer, source: nameSource(deps, answer.found) }
}

export async function showStats(deps: Deps, id: EmojiId) {
  const { views, window: countedWindow } = await findEntry(deps, id)
  const today = await deps.stats.readViewsToday(id)
  const metrics = [
    lookupMetric(id, views, countedWindow),
    todayMetric(id, today.value, today.window),
  ]
  const days = await deps.stats.readDays(id)
  return { emoji_id: id, metrics, ...(days ? { days } : {}) }
}

async function lookUp({ cache, stats }: Deps, id: EmojiId): Promise<Lookup> {
  const lookup = await cache.seek(id)
  stats.count(id)
  return lookup
}

const nameSource = ({ reader }: Deps, lookup: readonly Lookup[]) =>
  reader.hasReplica ? sourceOf(lookup, reader.ageMs) : undefined
