import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { AddressCheck } from './verdict.ts'

/**
 * Twenty bytes as hex, with or without 0x. Mixed case is an EIP-55 checksum and must match; one
 * letter case has no checksum, so only the format is checked.
 */
export const evm: AddressCheck = (text) => {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  if (!/^[0-9a-fA-F]{40}$/.test(digits)) return undefined
  const address = toChecksumAddress(digits)
  const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits)
  if (isMixed && address !== `0x${digits}`) return 'checksum'
  return { address, strength: isMixed ? 'checksum' : 'format', network: 'main', kind: 'evm' }
}

function toChecksumAddress(digits: string): string {
  const lower = digits.toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)))
  const cased = [...lower].map((digit, place) =>
    Number.parseInt(hash.charAt(place), 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}
