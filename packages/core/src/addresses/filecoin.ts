import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { base32nopad } from '@scure/base'
import { decode, equalBytes } from './decode.ts'
import type { AddressCheck } from './verdict.ts'

/** Letters after f or t → bytes that the checksum covers before the payload, and the payload's length. */
const forms: readonly (readonly [
  start: string,
  head: readonly number[],
  length: number,
  kind: string,
])[] = [
  ['1', [1], 20, 'secp256k1'],
  ['2', [2], 20, 'actor'],
  ['3', [3], 48, 'bls'],
  ['410f', [4, 10], 20, 'ethereum'],
]

export const filecoin: AddressCheck = (text) => {
  const lower = text.toLowerCase()
  if (/^[ft]0\d{1,20}$/.test(lower))
    return {
      refused:
        'Addresses that begin with f0 have no checksum: use one that begins with f1, f2, f3 or f4.',
    }
  if (text !== lower || !/^[ft]/.test(text)) return undefined
  const form = forms.find(([start]) => text.startsWith(start, 1))
  if (!form) return undefined
  const [start, head, length, kind] = form
  const raw = decode(base32nopad, text.slice(1 + start.length).toUpperCase())
  if (raw?.length !== length + 4) return undefined
  const covered = concatBytes(Uint8Array.from(head), raw.subarray(0, length))
  if (!equalBytes(blake2b(covered, { dkLen: 4 }), raw.subarray(length))) return 'checksum'
  const network = text.startsWith('f') ? 'main' : 'test'
  return { address: text, strength: 'checksum', network, kind }
}
