import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { chainFormat } from '../ids/formats.ts'
import type { EmojiId } from '../ids/parse.ts'

/** One step from a record hash to the root: the sibling and its side. */
export type MerkleStep = { side: 'left' | 'right'; hash: string }

/** Root of an id without records: BLAKE2b-256 of the empty input. */
export const EMPTY_MERKLE_ROOT = '0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8'

/**
 * The Merkle tree over record hashes: sorted, joined in pairs; a hash without a sibling moves up
 * unchanged. Built once, it proves any number of records.
 */
export function merkleTree(hashes: readonly string[]): MerkleTree {
  const growth = growTree(hashes)
  let step = growth.next()
  while (!step.done) step = growth.next()
  return step.value
}

/** The same in parts: 200 hashes take some milliseconds. */
export async function merkleTreeInParts(
  hashes: readonly string[],
  pause: () => Promise<void> | undefined,
): Promise<MerkleTree> {
  const growth = growTree(hashes)
  let step = growth.next()
  while (!step.done) {
    await pause()
    step = growth.next()
  }
  return step.value
}

type MerkleTree = {
  root: string
  /** The path from one record to the root; undefined for an unknown record. */
  proofOf(hash: string): MerkleStep[] | undefined
}

/** Joins between two steps of the growth. */
const joinsAtOnce = 16

function* growTree(hashes: readonly string[]): Generator<undefined, MerkleTree> {
  const records = [...hashes].sort()
  const levels = [records]
  let level = records
  while (level.length > 1) {
    const next: string[] = []
    for (let place = 0; place < level.length; place += 2) {
      const [left, right] = [level[place] as string, level[place + 1]]
      next.push(right === undefined ? left : parent(left, right))
      if (next.length % joinsAtOnce === 0) yield
    }
    level = next
    levels.push(level)
  }
  const places = new Map(records.map((hash, place) => [hash, place]))
  return {
    root: levels.at(-1)?.[0] ?? EMPTY_MERKLE_ROOT,
    proofOf(hash) {
      const place = places.get(hash)
      return place === undefined ? undefined : stepsFrom(levels, place)
    },
  }
}

export const merkleRoot = (hashes: readonly string[]): string => merkleTree(hashes).root

export function verifyMerkleProof(
  hash: string,
  steps: readonly MerkleStep[],
  root: string,
): boolean {
  const hashes = [hash, ...steps.map((step) => step.hash)]
  if (!hashes.every((text) => /^[0-9a-f]{64}$/.test(text))) return false
  const join = (below: string, step: MerkleStep) =>
    step.side === 'left' ? parent(step.hash, below) : parent(below, step.hash)
  return steps.reduce(join, hash) === root
}

function stepsFrom(levels: readonly string[][], bottom: number): MerkleStep[] {
  const steps: MerkleStep[] = []
  let place = bottom
  for (const level of levels) {
    const neighbour = level[place ^ 1]
    if (neighbour !== undefined)
      steps.push({ side: place % 2 === 1 ? 'left' : 'right', hash: neighbour })
    place >>= 1
  }
  return steps
}

function parent(left: string, right: string): string {
  return bytesToHex(blake2b(concatBytes(hexToBytes(left), hexToBytes(right)), { dkLen: 32 }))
}

/** Domain separation: a signature of records is valid for nothing else. */
export const signingDomain = 'emojid/records/v1'

/** The message that the key of an id signs: the id and the Merkle root of its records. */
export const signedMessage = (id: EmojiId, merkle_root: string): string =>
  `${chainFormat(id)} ${merkle_root}`
