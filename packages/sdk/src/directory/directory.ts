import { type EmojiId, parseTag } from '@emojid/core'
import {
  type EmojidError,
  InvalidRequestError,
  RefusedError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '../errors.ts'
import type { Connection } from '../http/connection.ts'
import { parseId } from '../ids.ts'
import { assertAbout, type DirectoryRecord, membersIn, readLookup, readProof } from './answers.ts'
import { createBatches } from './batches.ts'
import type { Directory, SearchResult, Verify } from './types.ts'

type Checks = {
  verify?: Verify | undefined
  /** Throws unless each record has its own hash; omitted in the smallest entry. */
  checkHashes?: (records: readonly DirectoryRecord[]) => void
}

export function createDirectory(
  { ask }: Pick<Connection, 'ask'>,
  { verify, checkHashes }: Checks = {},
): Directory {
  const read = async (id: EmojiId, path: string, rest: object) => {
    try {
      const at = `/emoji_id/${encodeURIComponent(id)}${path}`
      return await ask({ method: 'GET', path: at, access: 'public', repeatable: true, ...rest })
    } catch (error) {
      throw error instanceof RefusedError && error.status === 404 ? missingError(error, id) : error
    }
  }

  const proof: Directory['proof'] = async (text, { signal } = {}) => {
    const id = parseId(text)
    const proof = readProof(await read(id, '/proof', { signal }), id)
    if (verify) return { ...proof, proven_by: verify(proof) }
    checkHashes?.(proof.records)
    return proof
  }

  const lookup: Directory['lookup'] = async (text, { tags, signal } = {}) => {
    const id = parseId(text)
    const tagList = readTags(tags)
    if (verify) {
      const { proven_by, ...proven } = await proof(id, { ...(signal ? { signal } : {}) })
      const records = proven.records.map(({ proof: _proof, ...record }) => record)
      return { id, records: filterByTags(records, tagList), ...(proven_by ? { proven_by } : {}) }
    }
    const query = { tags: tagList?.join(',') }
    const { failure, ...lookup } = readLookup(await read(id, '', { query, signal }), id)
    if (failure) throw refusalOf(failure, id)
    checkHashes?.(lookup.records)
    return { id, ...lookup, records: filterByTags(lookup.records, tagList) }
  }

  return {
    lookup,
    proof,
    lookupMany: createBatches({
      ask,
      lookup,
      isProven: verify !== undefined,
      readTags,
      ...(checkHashes ? { checkHashes } : {}),
    }),
    async search(text, { signal } = {}) {
      const id = parseId(text)
      const answer = await ask({
        method: 'GET',
        path: '/emoji_id/search',
        query: { emoji_id: id },
        access: 'optional',
        repeatable: true,
        signal,
      })
      const { result, alternates } = membersIn(answer, 'a search')
      assertAbout(membersIn(result, 'a result')['emoji_id'], id)
      if (!Array.isArray(alternates)) membersIn(alternates, 'alternates')
      return answer as SearchResult
    },
  }
}

const filterByTags = (records: DirectoryRecord[], tags: string[] | undefined) =>
  tags ? records.filter(({ tag }) => tags.includes(tag)) : records

/**
 * Lookups report it by one sentence that names the id, other operations by a code; other responses
 * are not ours.
 */
function missingError(error: RefusedError, id: EmojiId): EmojidError {
  const { isExplained, reason, message } = error
  const isUnregistered = reason === '' ? message.includes(id) : reason === 'unregistered_emoji_id'
  if (isExplained && isUnregistered) return new UnregisteredError(id)
  if (isExplained && reason !== '') return error
  const strange = 'The 404 is not in the format of a directory. Check the address of the API.'
  return new UnexpectedAnswerError(strange, { cause: error })
}

function refusalOf({ code, reason }: { code: string; reason: string }, id: EmojiId): EmojidError {
  if (code === '404') return new UnregisteredError(id)
  return new RefusedError(reason, { status: Number(code) || 400, reason: '' })
}

function readTags(tags: readonly string[] | undefined): string[] | undefined {
  if (tags === undefined || tags === null) return undefined
  if (!Array.isArray(tags)) throw new InvalidRequestError("Pass tags as a list: ['0x1003'].")
  if (tags.length === 0) return undefined
  try {
    return tags.map((tag) => parseTag(tag))
  } catch (error) {
    throw new InvalidRequestError((error as Error).message)
  }
}
