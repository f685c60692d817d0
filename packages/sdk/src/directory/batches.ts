import type { EmojiId } from '@emojid/core'
import {
  EmojidError,
  InvalidIdError,
  InvalidRequestError,
  RefusedError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '../errors.ts'
import type { Connection } from '../http/connection.ts'
import { parseId } from '../ids.ts'
import { type DirectoryRecord, listIn, membersIn, readFailure, readRecords } from './answers.ts'
import type { Directory, LookupOptions } from './types.ts'

type Outcome =
  | { status: 'found'; records: DirectoryRecord[] }
  | { status: 'unregistered' }
  | { status: 'failed'; error: EmojidError }

type Options = Pick<Connection, 'ask'> & {
  lookup: Directory['lookup']
  isProven: boolean
  readTags: (tags: readonly string[] | undefined) => string[] | undefined
  checkHashes?: (records: readonly DirectoryRecord[]) => void
}

const mostAtOnce = 1_000
const provenAtOnce = 8

export function createBatches({
  ask,
  lookup,
  isProven,
  readTags,
  checkHashes,
}: Options): Directory['lookupMany'] {
  const askFor = async (ids: readonly EmojiId[], { tags, signal }: LookupOptions) => {
    const tagList = readTags(tags)
    const answer = await ask({
      method: 'POST',
      path: '/emoji_id/lookup',
      access: 'public',
      repeatable: true,
      signal,
      body: { emoji_ids: ids, ...(tagList ? { tags: tagList } : {}) },
    })
    const items = listIn(membersIn(answer, 'a batch')['data'], 'items')
    if (items.length !== ids.length) throw otherIds()
    const answers = items.map((item, place) => readItem(item, ids[place] as EmojiId))
    for (const one of answers) if (one?.status === 'found') checkHashes?.(one.records)
    return answers
  }

  /** A batch carries no proofs: each id is requested alone. */
  const prove = (ids: readonly EmojiId[], options: LookupOptions) =>
    Promise.all(
      ids.map(async (id): Promise<Outcome> => {
        try {
          return { status: 'found', records: (await lookup(id, options)).records }
        } catch (error) {
          if (error instanceof UnregisteredError) return { status: 'unregistered' }
          if (error instanceof EmojidError) return { status: 'failed', error }
          throw error
        }
      }),
    )

  return async (texts, options = {}) => {
    if (!Array.isArray(texts)) throw new InvalidRequestError("Pass ids as a list: ['🔥🐍'].")
    const read = texts.map(readOne)
    const ids = [...new Set(read.flatMap((one) => ('id' in one ? [one.id] : [])))]
    const outcomes = new Map<EmojiId, Outcome>()
    const step = isProven ? provenAtOnce : mostAtOnce
    for (let remainingIds = ids; remainingIds.length > 0; ) {
      const some = remainingIds.slice(0, step)
      const answers = await (isProven ? prove(some, options) : askFor(some, options))
      for (const [place, id] of some.entries()) {
        const outcome = answers[place]
        if (outcome) outcomes.set(id, outcome)
      }
      if (!outcomes.has(some[0] as EmojiId)) throw otherIds()
      remainingIds = remainingIds.filter((id) => !outcomes.has(id))
    }
    return read.map((one) => ('id' in one ? { ...one, ...(outcomes.get(one.id) as Outcome) } : one))
  }
}

type ReadOne =
  | { text: string; id: EmojiId }
  | { text: string; status: 'invalid'; error: InvalidIdError }

function readOne(text: string): ReadOne {
  try {
    return { text, id: parseId(text) }
  } catch (error) {
    if (error instanceof InvalidIdError) return { text, status: 'invalid', error }
    throw error
  }
}

/** `undefined` for `too_large`: the id is requested again. */
function readItem(item: unknown, id: EmojiId): Outcome | undefined {
  const { emoji_id, status, result, error } = membersIn(item, 'an item')
  if (emoji_id !== id) throw otherIds()
  if (status === true) return { status: 'found', records: readRecords(result) }
  const { code, reason } = readFailure(error)
  if (code === 'too_large') return undefined
  if (code === '404') return { status: 'unregistered' }
  if (code === 'suspended') {
    return { status: 'failed', error: new RefusedError(reason, { status: 451, reason: code }) }
  }
  throw new RefusedError(reason, { status: Number(code) || 400, reason: '' })
}

const otherIds = () => new UnexpectedAnswerError('The response is not about the requested ids.')
