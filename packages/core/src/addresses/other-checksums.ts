import { blake2b } from '@noble/hashes/blake2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58Check } from './base58-check.ts'
import { decodeHex, equalBytes } from './decode.ts'
import type { AddressCheck } from './verdict.ts'

export const waves = base58Check({
  main: [[[1, 0x57], 'account']],
  test: [[[1, 0x54], 'account']],
  digest: (bytes) => keccak_256(blake2b(bytes, { dkLen: 32 })),
})

/** 32 bytes and six of their BLAKE2b, as hex. */
export const siacoin: AddressCheck = (text) => {
  const raw = decodeHex(text, 38)
  if (!raw) return undefined
  const sum = blake2b(raw.subarray(0, 32), { dkLen: 32 }).subarray(0, 6)
  if (!equalBytes(sum, raw.subarray(32))) return 'checksum'
  return { address: text.toLowerCase(), strength: 'checksum', network: 'main', kind: 'account' }
}

const nanoLetters = '13456789abcdefghijkmnopqrstuwxyz'

/** 52 letters of key, eight of checksum (five bytes of BLAKE2b, last byte first). */
export const nano: AddressCheck = (text) => {
  const body = /^(?:nano|xrb)_([13][13-9a-km-uw-z]{59})$/.exec(text)?.[1]
  if (body === undefined) return undefined
  const key = nanoBytes(body.slice(0, 52), 32)
  const sum = nanoBytes(body.slice(52), 5)
  if (!equalBytes(blake2b(key, { dkLen: 5 }).reverse(), sum)) return 'checksum'
  return { address: `nano_${body}`, strength: 'checksum', network: 'main', kind: 'account' }
}

function nanoBytes(letters: string, length: number): Uint8Array {
  let value = 0n
  for (const letter of letters) value = value * 32n + BigInt(nanoLetters.indexOf(letter))
  const bytes = new Uint8Array(length)
  for (let place = length - 1; place >= 0; place--, value >>= 8n)
    bytes[place] = Number(value & 255n)
  return bytes
}
