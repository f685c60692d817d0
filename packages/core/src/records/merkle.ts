import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'

/** One step from a record hash to the root: the neighbour, and on which side it stands. */
export type MerkleStep = { side: 'left' | 'right'; hash: string }

/** Root of an id without records: BLAKE2b-256 of nothing. */
export const EMPTY_MERKLE_ROOT = '0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8'

/** Root over record hashes in any order: sorted, joined in pairs; one without a partner moves up as it is. */
export function merkleRoot(hashes: readonly string[]): string {
  let level = sorted(hashes)
  if (level.length === 0) return EMPTY_MERKLE_ROOT
  while (level.length > 1) level = parents(level)
  return level[0] as string
}

/** The way from one record to the root; undefined when the record is not among them. */
export function merkleProof(hashes: readonly string[], hash: string): MerkleStep[] | undefined {
  let level = sorted(hashes)
  let place = level.indexOf(hash)
  if (place < 0) return undefined
  const steps: MerkleStep[] = []
  while (level.length > 1) {
    const neighbour = level[place ^ 1]
    if (neighbour !== undefined)
      steps.push({ side: place % 2 === 1 ? 'left' : 'right', hash: neighbour })
    level = parents(level)
    place >>= 1
  }
  return steps
}

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

function sorted(hashes: readonly string[]): string[] {
  return [...hashes].sort()
}

function parents(level: readonly string[]): string[] {
  const next: string[] = []
  for (let place = 0; place < level.length; place += 2) {
    const [left, right] = [level[place] as string, level[place + 1]]
    next.push(right === undefined ? left : parent(left, right))
  }
  return next
}

function parent(left: string, right: string): string {
  return bytesToHex(blake2b(concatBytes(hexToBytes(left), hexToBytes(right)), { dkLen: 32 }))
}
