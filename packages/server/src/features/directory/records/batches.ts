import type { EmojiId, Tag } from '@emojid/core'
import { refusal, ServiceError } from '../../../platform/errors.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import { takeTurn } from '../../../platform/turns.ts'
import { readSpelling } from '../emoji-ids/emoji-ids.ts'
import { foundItem, type Lookup, readTags, refusedItem } from './answers.ts'
import type { Batches, BatchResult } from './records.ts'
import type { Batch } from './schema.ts'

/** In ids. Single lookups have no rate limit. */
const rates = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 40_000, perSecond: 5_000 },
}

const mebibyte = 1024 * 1024
const answeredAtMost = 2 * mebibyte
/** A filter by tag parses records that it leaves out. */
const readAtMost = 8 * mebibyte
/** A larger id counts as several. */
const bytesOfId = 16_000
const heldAtMost = 32 * mebibyte
const heldForOneAtMost = 8 * mebibyte
/** A malformed id costs more time than one in memory. */
const idsForMalformed = 3

type Options = {
  seek: (id: EmojiId) => Promise<Lookup>
  count: (id: EmojiId) => void
}

/** Looks up many ids at once. An invalid id gets its own error. */
export function createBatches({ seek, count }: Options): Batches {
  const ids = createBudget('ids of batches', rates)
  const unsentBytes = createUnsentBytes()

  /** Seeks each distinct id once; repeated ids get an error. */
  const seekAll = async (texts: readonly string[], network: string) => {
    const knownHashes = new Set<string>()
    const items: { text: string; outcome: ServiceError | Promise<Lookup | ServiceError> }[] = []
    const ask = (text: string) => {
      if (knownHashes.has(text)) return repeated
      knownHashes.add(text)
      try {
        const id = readSpelling(text)
        if (id !== text && knownHashes.has(id)) return repeated
        knownHashes.add(id)
        return seek(id).catch(refusalOf)
      } catch (error) {
        ids.take(network, idsForMalformed - 1)
        return refusalOf(error)
      }
    }
    for (const text of texts) {
      items.push({ text, outcome: ask(text) })
      await takeTurn()
    }
    return Promise.all(items.map(async ({ text, outcome }) => ({ text, outcome: await outcome })))
  }

  const assertAllowed = (network: string) => {
    ids.assertLeft(network)
    unsentBytes.assertRoom(network)
  }
  const lookUp = async ({ emoji_ids, tags }: Batch, network: string): Promise<BatchResult> => {
    assertAllowed(network)
    ids.take(network, emoji_ids.length)
    const tagList = readTags(tags?.join(','))
    const lookups: Lookup[] = []
    const parts: string[] = []
    let [answeredCount, read] = [0, 0]
    for (const { text, outcome } of await seekAll(emoji_ids, network)) {
      const item = showItem(text, outcome, tagList, { answered: answeredCount, read })
      parts.push(item.text)
      answeredCount += item.text.length
      read += item.read
      if (item.isFound && !(outcome instanceof ServiceError)) lookups.push(outcome)
      ids.take(network, Math.floor(item.read / bytesOfId))
      await takeTurn()
    }
    const answer = Buffer.from(`{"data":[${parts.join(',')}]}`)
    const release = unsentBytes.hold(network, answer.length)
    for (const { entry } of lookups) count(entry.id)
    return { answer, found: lookups, release }
  }
  return { assertAllowed, lookUp }
}

type BatchUsage = { answered: number; read: number }

function showItem(
  text: string,
  outcome: Lookup | ServiceError,
  tags: readonly Tag[] | undefined,
  used: BatchUsage,
) {
  if (outcome instanceof ServiceError)
    return { text: refusedItem(text, outcome), read: 0, isFound: false }
  const { entry } = outcome
  const read = entry.records.length
  const hasRoom = used.read + read <= readAtMost && used.answered <= answeredAtMost
  const item = hasRoom ? foundItem(text, entry, tags) : undefined
  if (item === undefined || used.answered + item.length > answeredAtMost)
    return { text: refusedItem(text, tooLarge()), read: 0, isFound: false }
  return { text: item, read, isFound: true }
}

/** An error of one id; an outage fails the whole batch. */
function refusalOf(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.kind !== 'unavailable') return error
  throw error
}

/** Unsent bytes of batch responses, per network. */
function createUnsentBytes() {
  const byNetwork = new Map<string, number>()
  let all = 0
  const add = (network: string, bytes: number) => {
    all += bytes
    const own = (byNetwork.get(network) ?? 0) + bytes
    if (own === 0) byNetwork.delete(network)
    else byNetwork.set(network, own)
  }
  const assertRoom = (network: string) => {
    const own = byNetwork.get(network) ?? 0
    if (all >= heldAtMost || own >= heldForOneAtMost) throw overloaded()
  }
  return {
    assertRoom,
    hold(network: string, bytes: number): () => void {
      assertRoom(network)
      add(network, bytes)
      let isHeld = true
      return () => {
        if (isHeld) add(network, -bytes)
        isHeld = false
      }
    },
  }
}

const repeated = refusal(
  'refused',
  'repeated',
  'This id occurs more than once. Its first item has the result.',
)

const tooLarge = () =>
  refusal('too_large', 'too_large', 'The response is full. Look this id up in another request.')

const overloaded = () =>
  refusal(
    'unavailable',
    'overloaded',
    'Earlier batches are still being answered. Try again shortly.',
    {
      retry_after_seconds: 1,
    },
  )
