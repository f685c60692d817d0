import { sha256 } from '@noble/hashes/sha2.js'

export type Digest = (bytes: Uint8Array) => Uint8Array

export const doubleSha256: Digest = (bytes) => sha256(sha256(bytes))

/** CRC-32 of ISO-HDLC, as in zip files: Byron addresses and Internet Computer accounts carry it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** CRC-16/XMODEM, as in Stellar keys. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
  }
  return crc
}
