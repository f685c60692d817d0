import { sha512_256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base32nopad } from '@scure/base'
import { crc16 } from './checksums.ts'
import { decode, equalBytes } from './decode.ts'
import type { AddressCheck } from './verdict.ts'

/** Account keys begin with G; M adds a number that identifies a customer of the account. */
export const stellar: AddressCheck = (text) => {
  const kind = /^G.{55}$/.test(text) ? 'account' : /^M.{68}$/.test(text) ? 'muxed' : undefined
  const raw = kind && decode(base32nopad, text)
  if (!raw) return undefined
  const sum = (raw.at(-1) as number) * 256 + (raw.at(-2) as number)
  if (crc16(raw.subarray(0, -2)) !== sum) return 'checksum'
  return raw[0] === 0x30 || raw[0] === 0x60
    ? { address: text, strength: 'checksum', network: 'main', kind }
    : undefined
}

export const algorand: AddressCheck = (text) => {
  const raw = text.length === 58 ? decode(base32nopad, text) : undefined
  if (!raw) return undefined
  if (!equalBytes(sha512_256(raw.subarray(0, 32)).subarray(-4), raw.subarray(32))) return 'checksum'
  return { address: text, strength: 'checksum', network: 'main', kind: 'account' }
}

/** NEM addresses are often written in groups: hyphens are dropped. */
export const nem: AddressCheck = (text) => {
  const address = text.replaceAll('-', '').toUpperCase()
  const raw = /^[NT][A-Z2-7]{39}$/.test(address) ? decode(base32nopad, address) : undefined
  if (!raw || (raw[0] !== 0x68 && raw[0] !== 0x98)) return undefined
  if (!equalBytes(keccak_256(raw.subarray(0, 21)).subarray(0, 4), raw.subarray(21)))
    return 'checksum'
  const network = raw[0] === 0x68 ? 'main' : 'test'
  return { address, strength: 'checksum', network, kind: 'account' }
}
