import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EMPTY_MERKLE_ROOT,
  merkleRoot,
  merkleTree,
  merkleTreeInParts,
  verifyMerkleProof,
} from './merkle.ts'
import { recordHash } from './record-hash.ts'
import { parseTag } from './tags.ts'

/** Computed with Python's hashlib.blake2b(digest_size=32), as an independent reference. */
const hashes = [
  [
    '0x1003',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '7cde7d6273c2ed2b44daff5a95b0da99100d158b4acca573f0fc95a6e38f7804',
  ],
  ['0x0005', 'Zoë 🐙', '7307cd5c71d9ba101053a1cd7770ff17f1986a3937794c9cf9445aeb8fbf2e7b'],
  ['0x0101', 'ab'.repeat(32), 'ff29d121f9b61745025cd56123f657276e001e722225a065a205da7bafdee4e8'],
  [
    '0x1004',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '2fa615708beab566105a7b31b9bea618e2a1db9696cb5d2bd16bdf6be35dcd68',
  ],
  [
    '0x1004',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed|main',
    '451e8dccc07f867fb83c72b8922bd3c7efba6c68d435ec9fa85cdf7e3f900a84',
  ],
] as const

describe('the record hash', () => {
  it.each(hashes)(
    'the record hash of %s %s equals that of another implementation',
    (tag, data, hash) => {
      expect(recordHash(parseTag(tag), data)).toBe(hash)
    },
  )

  it('the record hash does not depend on the spelling of a hex value', () => {
    const tag = parseTag('0x1004')
    expect(recordHash(tag, '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed')).toBe(hashes[3][2])
  })
})

const hash = fc.nat(1_000_000).map((n) => createHash('sha256').update(`${n}`).digest('hex'))
const hashSet = fc.uniqueArray(hash, { minLength: 1, maxLength: 20 })

describe('the merkle root', () => {
  const [a, b, c] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string]

  it('the merkle root of one to three records equals that of another implementation', () => {
    expect(merkleRoot([a])).toBe(a)
    expect(merkleRoot([b, a])).toBe(
      'e4351a237b5150f780837f4ef69b4feb9496b48780cb07a8193803840e71a17c',
    )
    expect(merkleRoot([c, a, b])).toBe(
      'bd2799b2c0b9ad6f0ef428f09e57300d228f5af64bf65f95cfe836cede0e8cd5',
    )
  })

  it('the merkle root of no records is the hash of the empty input', () =>
    expect(merkleRoot([])).toBe(EMPTY_MERKLE_ROOT))

  it('the merkle root does not depend on the order', () => {
    fc.assert(
      fc.property(hashSet, (list) => {
        expect(merkleRoot([...list].reverse())).toBe(merkleRoot(list))
      }),
    )
  })

  it('proves each of its records, and no other', () => {
    fc.assert(
      fc.property(hashSet, hash, (list, stranger) => {
        fc.pre(!list.includes(stranger))
        const { root, proofOf } = merkleTree(list)
        expect(root).toBe(merkleRoot(list))
        for (const member of list) {
          const proof = proofOf(member) ?? []
          expect(verifyMerkleProof(member, proof, root)).toBe(true)
          expect(verifyMerkleProof(stranger, proof, root)).toBe(false)
          expect(verifyMerkleProof(member, proof, stranger)).toBe(false)
        }
        expect(proofOf(stranger)).toBeUndefined()
      }),
    )
  })

  it('rejects proofs that are not hashes', () => {
    expect(verifyMerkleProof('x', [], 'x')).toBe(false)
    expect(verifyMerkleProof(a, [{ side: 'left', hash: 'zz' }], a)).toBe(false)
  })
})

it('a tree that grows in parts is the same', async () => {
  const hashes = Array.from({ length: 77 }, (_, n) => String(n).padStart(64, '0'))
  let pauses = 0
  const tree = await merkleTreeInParts(hashes, async () => void pauses++)
  const whole = merkleTree(hashes)
  expect(tree.root).toBe(whole.root)
  expect(hashes.map(tree.proofOf)).toEqual(hashes.map(whole.proofOf))
  expect(pauses).toBeGreaterThan(1)
})
