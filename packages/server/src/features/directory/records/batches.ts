import type { EmojiId, Tag } from '@emojid/core'
import { createBreather } from '../../../platform/breathe.ts'
import { refusal, ServiceError } from '../../../platform/errors.ts'
import { readSpelling } from '../emoji-ids/index.ts'
import type { Batches, BatchResult } from './deps.ts'
import type { Limits } from './limits.ts'
import { foundItem, type Lookup, readTags, refusedItem } from './rules.ts'
import type { Batch } from './schema.ts'

const mebibyte = 1024 * 1024
const answeredAtMost = 2 * mebibyte
/** A filter by tag parses records that it leaves out. */
const readAtMost = 8 * mebibyte
/** A larger id counts as several. */
const bytesOfId = 16_000
const heldAtMost = 32 * mebibyte
const heldForOneAtMost = 8 * mebibyte
/** Each works for some milliseconds in its turn: more of one network delay the lookups of others. */
const runningAtMost = 8

type Options = {
  seek: (id: EmojiId) => Promise<Lookup>
  count: (id: EmojiId) => void
  limits: Limits
}

/** Looks up many ids at once. An invalid id gets its own error. */
export function createBatches({ seek, count, limits }: Options): Batches {
  const unsentBytes = createUnsentBytes()
  const running = new Map<string, number>()

  /** Seeks each distinct id once; repeated ids get an error. */
  const seekAll = async (texts: readonly string[], breathe: () => Promise<void>) => {
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
        return refusalOf(error)
      }
    }
    for (const text of texts) {
      items.push({ text, outcome: ask(text) })
      await breathe()
    }
    return Promise.all(items.map(async ({ text, outcome }) => ({ text, outcome: await outcome })))
  }

  const assertAllowed = (network: string) => {
    limits.ids.assertLeft(network)
    unsentBytes.assertRoom(network)
    if ((running.get(network) ?? 0) >= runningAtMost) throw overloaded()
  }
  const lookUp = async (batch: Batch, network: string): Promise<BatchResult> => {
    assertAllowed(network)
    running.set(network, (running.get(network) ?? 0) + 1)
    try {
      return await answerBatch(batch, network)
    } finally {
      const rest = (running.get(network) ?? 1) - 1
      if (rest > 0) running.set(network, rest)
      else running.delete(network)
    }
  }
  const answerBatch = async ({ emoji_ids, tags }: Batch, network: string): Promise<BatchResult> => {
    limits.ids.take(network, emoji_ids.length)
    const tagList = readTags(tags?.join(','))
    const breathe = createBreather()
    const lookups: Lookup[] = []
    const parts: string[] = []
    let [answeredCount, read] = [0, 0]
    for (const { text, outcome } of await seekAll(emoji_ids, breathe)) {
      const item = showItem(text, outcome, tagList, { answered: answeredCount, read })
      parts.push(item.text)
      answeredCount += item.text.length
      read += item.read
      if (item.isFound && !(outcome instanceof ServiceError)) lookups.push(outcome)
      limits.ids.take(network, Math.floor(item.read / bytesOfId))
      await breathe()
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

const repeatedError = () =>
  refusal('refused', 'repeated', 'This id occurs more than once. Its first item has the result.')

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

/** A shared instance: creating an error with its stack costs more than the rest of an item. */
const repeated = repeatedError()
