import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58xmr } from '@scure/base'
import { decode, equalBytes } from './decode.ts'
import type { AddressCheck, NetworkKind } from './verdict.ts'

const networks: Readonly<Record<number, readonly [kind: string, network: NetworkKind]>> = {
  18: ['standard', 'main'],
  19: ['integrated', 'main'],
  42: ['sub', 'main'],
  53: ['standard', 'test'],
  54: ['integrated', 'test'],
  63: ['sub', 'test'],
  24: ['standard', 'test'],
  25: ['integrated', 'test'],
  36: ['sub', 'test'],
}

/** Network byte, two public keys, the payment id of integrated addresses, four bytes of Keccak. */
export const monero: AddressCheck = (text) => {
  if (text.length !== 95 && text.length !== 106) return undefined
  const raw = decode(base58xmr, text)
  const match = networks[raw?.[0] ?? -1]
  if (!raw || !match) return undefined
  const [kind, network] = match
  if (raw.length !== (kind === 'integrated' ? 77 : 69)) return undefined
  if (!equalBytes(keccak_256(raw.subarray(0, -4)).subarray(0, 4), raw.subarray(-4)))
    return 'checksum'
  return { address: text, strength: 'checksum', network, kind }
}
