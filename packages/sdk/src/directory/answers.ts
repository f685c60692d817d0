import { type EmojiId, isEmojiId, type MerkleStep, type Tag } from '@emojid/core'
import { UnexpectedAnswerError } from '../errors.ts'
import { isObject } from '../http/read-answer.ts'

/** One record of an id. `hash` identifies it, also for deletion. */
export type DirectoryRecord = {
  tag: Tag
  data: string
  hash: string
  /** Set on a payment address that replaced another one in its place. The highest is the most recent. */
  recent?: number
}

/** The records of an id with their Merkle paths to the root, and the owner's signature. */
export type Proof = {
  id: EmojiId
  /** The key that holds the id. */
  pubkey: string | null
  /** Increases with every change and every new owner. */
  version: number
  merkle_root: string
  signature: { signer: string; nonce: string; signature: string } | null
  records: (DirectoryRecord & { proof: MerkleStep[] })[]
  /** Present if the client verified it: the key that signed. */
  proven_by?: string
}

export function readRecords(value: unknown): DirectoryRecord[] {
  return listIn(value, 'records').map(readRecord)
}

type Failure = { code: string; reason: string }
type ReadLookup = {
  failure?: Failure
  records: DirectoryRecord[]
  views?: number
  changes_at?: string
}

/** The counts of a lookup name its id; a response without them is rejected. */
export function readLookup(answer: unknown, id: EmojiId): ReadLookup {
  const { status, result, error, stats, changes_at } = membersIn(answer, 'a lookup')
  if (status !== true) return { failure: readFailure(error), records: [] }
  const counts = listIn(stats, 'counts').map((count) => membersIn(count, 'a count'))
  if (counts.length === 0) throw strange('a count')
  for (const { key } of counts) assertAbout(key, id)
  const views = counts.find(({ metric }) => metric === 'api_emoji_lookups')?.['value']
  const isCounted = typeof views === 'number' && views >= 0
  return {
    records: readRecords(result),
    ...(isCounted ? { views } : {}),
    ...(typeof changes_at === 'string' ? { changes_at } : {}),
  }
}

/** `code` and `reason` of the envelope. */
export function readFailure(error: unknown): Failure {
  const { code, reason } = membersIn(error, 'an error')
  return { code: textIn(code, 'a code'), reason: textIn(reason, 'a reason') }
}

export function readProof(answer: unknown, id: EmojiId): Proof {
  const proof = membersIn(answer, 'a proof')
  assertAbout(proof['emoji_id'], id)
  const { pubkey, version, merkle_root, signature } = proof
  if (!Number.isSafeInteger(version)) throw strange('a version')
  return {
    id,
    version: version as number,
    merkle_root: hashIn(merkle_root),
    pubkey: pubkey === null ? null : hashIn(pubkey),
    signature: signature === null ? null : readSignature(signature),
    records: listIn(proof['records'], 'records').map((record) => ({
      ...readRecord(record),
      proof: listIn(membersIn(record, 'a record')['proof'], 'steps').map(readStep),
    })),
  }
}

/** Throws unless a response is about the requested id. */
export function assertAbout(body: unknown, id: EmojiId): void {
  if (typeof body === 'string' && isEmojiId(body) && body === id) return
  throw new UnexpectedAnswerError(`The response is not about ${id}.`)
}

function readRecord(value: unknown): DirectoryRecord {
  const { tag, data, hash, recent } = membersIn(value, 'a record')
  if (typeof tag !== 'string' || !/^0x[0-9a-f]{4}$/.test(tag)) throw strange('a tag')
  const record = { tag: tag as Tag, data: textIn(data, 'data'), hash: hashIn(hash) }
  return typeof recent === 'number' ? { ...record, recent } : record
}

function readSignature(value: unknown) {
  const { signer, nonce, signature } = membersIn(value, 'a signature')
  return { signer: hashIn(signer), nonce: hashIn(nonce), signature: hashIn(signature) }
}

function readStep(value: unknown): MerkleStep {
  const { side, hash } = membersIn(value, 'a step')
  if (side !== 'left' && side !== 'right') throw strange('a side')
  return { side, hash: hashIn(hash) }
}

export function membersIn(value: unknown, subject: string): Record<string, unknown> {
  if (!isObject(value)) throw strange(subject)
  return value
}

export function listIn(value: unknown, subject: string): unknown[] {
  if (!Array.isArray(value)) throw strange(subject)
  return value
}

function textIn(value: unknown, subject: string): string {
  if (typeof value !== 'string') throw strange(subject)
  return value
}

/** 32 bytes as lower-case hex. */
function hashIn(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw strange('a hash')
  return value
}

const strange = (subject: string) => new UnexpectedAnswerError(`The response lacks ${subject}.`)
