import { blake2b } from '@noble/hashes/blake2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { type Tag, tagInfo, tagNumber } from './tags.ts'
import { utf8 } from './text.ts'

/**
 * Identifies a record by its content: BLAKE2b-256 over the tag (two bytes, little-endian) and the
 * data.
 */
export function recordHash(tag: Tag, data: string): string {
  const number = tagNumber(tag)
  const head = Uint8Array.of(number & 255, number >> 8)
  return bytesToHex(blake2b(concatBytes(head, dataBytes(tag, data)), { dkLen: 32 }))
}

/** Hex categories are hashed by their bytes, so the spelling does not matter. */
function dataBytes(tag: Tag, data: string): Uint8Array {
  const form = tagInfo(tag)?.data_form
  const bytes = form === 'hex32' ? 32 : form === 'address_hex20' ? 20 : undefined
  const digits = data.replace(/^0x/, '')
  return bytes !== undefined && digits.length === 2 * bytes && /^[0-9a-fA-F]+$/.test(digits)
    ? hexToBytes(digits)
    : utf8(data)
}
