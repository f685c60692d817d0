import type { EmojiId, Tag } from '@emojid/core'
import { createBreather } from '../../platform/breathe.ts'
import { ServiceError } from '../../platform/errors.ts'
import { createAllowance } from '../../platform/http/allowance.ts'
import { readEmojiId } from '../emoji-ids/index.ts'
import { type Found, foundItem, readTags, refusedItem } from './rules.ts'
import type { Batch } from './schema.ts'

const mebibyte = 1024 * 1024
const answeredAtMost = 2 * mebibyte
/** Choosing by tag reads records that it does not answer. */
const readAtMost = 8 * mebibyte
const heldAtMost = 32 * mebibyte
const heldForOneAtMost = 8 * mebibyte

/** What a process can do beside its single lookups, which count against nothing. */
const ids = {
  each: { atOnce: 20_000, perSecond: 2_000 },
  all: { atOnce: 40_000, perSecond: 10_000 },
}

type Options = {
  seek: (id: EmojiId) => Promise<Found>
  count: (id: EmojiId) => void
}

export type BatchResult = {
  answer: Buffer
  found: readonly Found[]
  /** To be called once the answer has left. */
  release(): void
}

/** Looks many ids up at once; what is wrong with one is told beside it and harms no other. */
export function createBatches({ seek, count }: Options) {
  const allowance = createAllowance(ids)
  const held = createHeld()

  /** What became of each id, each asked for once; the texts that say it again are not in it. */
  const seekAll = async (texts: readonly string[]) => {
    const asked = new Map<EmojiId, Promise<Found | ServiceError>>()
    const items = texts.map((text) => {
      try {
        const id = readEmojiId(text)
        if (asked.has(id)) return { text, outcome: new RepeatedError() }
        const outcome = seek(id).catch(refusal)
        asked.set(id, outcome)
        return { text, outcome }
      } catch (error) {
        return { text, outcome: refusal(error) }
      }
    })
    return Promise.all(items.map(async ({ text, outcome }) => ({ text, outcome: await outcome })))
  }

  return async ({ emoji_ids, tags }: Batch, network: string): Promise<BatchResult> => {
    allowance.assertLeft(network)
    held.assertRoom(network)
    allowance.take(network, emoji_ids.length)
    const wanted = readTags(tags?.join(','))
    const breathe = createBreather()
    const found: Found[] = []
    const parts: string[] = []
    let [answered, read] = [0, 0]
    for (const { text, outcome } of await seekAll(emoji_ids)) {
      const item = showItem(text, outcome, wanted, { answered, read })
      parts.push(item.text)
      answered += item.text.length
      read += item.read
      if (item.isFound && !(outcome instanceof ServiceError)) found.push(outcome)
      await breathe()
    }
    const answer = Buffer.from(`{"data":[${parts.join(',')}]}`)
    const release = held.hold(network, answer.length)
    for (const { entry } of found) count(entry.id)
    return { answer, found, release }
  }
}

type Used = { answered: number; read: number }

function showItem(
  text: string,
  outcome: Found | ServiceError,
  tags: readonly Tag[] | undefined,
  used: Used,
) {
  if (outcome instanceof ServiceError)
    return { text: refusedItem(text, outcome), read: 0, isFound: false }
  const { entry } = outcome
  const read = entry.records.length
  const hasRoom = used.read + read <= readAtMost && used.answered <= answeredAtMost
  const shown = hasRoom ? foundItem(text, entry, tags) : undefined
  if (shown === undefined || used.answered + shown.length > answeredAtMost)
    return { text: refusedItem(text, new ItemTooLargeError()), read: 0, isFound: false }
  return { text: shown, read, isFound: true }
}

/** What is wrong with one id; everything else is wrong with the whole batch. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.kind !== 'unavailable') return error
  throw error
}

/** Answers that wait to be read, by who will not read them. */
function createHeld() {
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
    if (all >= heldAtMost || own >= heldForOneAtMost) throw new TooManyAnswersError()
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

class RepeatedError extends ServiceError {
  override readonly name = 'Records.RepeatedError'
  constructor() {
    super('invalid', 'repeated', 'This id stands earlier in the list: its answer is there.')
  }
}

class ItemTooLargeError extends ServiceError {
  override readonly name = 'Records.ItemTooLargeError'
  constructor() {
    super('too_large', 'too_large', 'The answer is full. Ask for this id in another request.')
  }
}

class TooManyAnswersError extends ServiceError {
  override readonly name = 'Records.TooManyAnswersError'
  constructor() {
    super('unavailable', 'overloaded', 'Earlier batches are still being sent. Try again shortly.', {
      retry_after_seconds: 1,
    })
  }
}
