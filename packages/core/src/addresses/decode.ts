import { hexToBytes } from '@noble/hashes/utils.js'
import { type BytesCoder, bech32, bech32m } from '@scure/base'

/**
 * Longer than any known address; decoders take quadratic time, so longer texts are rejected first.
 */
export const MAX_ADDRESS_LENGTH = 256
const MAX_BASE58_LENGTH = 128

/** The bytes; undefined if the text has another encoding. */
export function decode(coder: BytesCoder, text: string): Uint8Array | undefined {
  if (text.length === 0 || text.length > MAX_BASE58_LENGTH) return undefined
  try {
    return coder.decode(text)
  } catch {
    return undefined
  }
}

export function decodeHex(text: string, length: number): Uint8Array | undefined {
  return text.length === 2 * length && /^[0-9a-fA-F]*$/.test(text) ? hexToBytes(text) : undefined
}

export type Bech32Text = { address: string; words: number[]; variant: 'bech32' | 'bech32m' }

/**
 * 'checksum' if the prefix is right but the rest is not. Accepts upper case as in QR codes, but no
 * mixed case.
 */
export function decodeBech32(text: string, prefix: string): Bech32Text | 'checksum' | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  const address = text === text.toUpperCase() ? text.toLowerCase() : text
  if (!address.toLowerCase().startsWith(`${prefix}1`)) return undefined
  for (const [variant, coder] of [
    ['bech32', bech32],
    ['bech32m', bech32m],
  ] as const) {
    try {
      const { words } = coder.decode(address as `${string}1${string}`, MAX_ADDRESS_LENGTH)
      if (address.lastIndexOf('1') === prefix.length) return { address, words, variant }
    } catch {
      // The other variant may match.
    }
  }
  return 'checksum'
}

/** Eight-bit bytes of five-bit words; undefined if bits are left over. */
export function wordBytes(words: readonly number[]): Uint8Array | undefined {
  return bech32.fromWordsUnsafe([...words]) || undefined
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

export function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}
