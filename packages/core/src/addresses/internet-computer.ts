import { base32nopad } from '@scure/base'
import { crc32 } from './checksums.ts'
import { decode, decodeHex } from './decode.ts'
import { type AddressCheck, anyOf } from './verdict.ts'

/** Ledger account: CRC-32 and 28 bytes, as hex. */
const account: AddressCheck = (text) => {
  const raw = decodeHex(text, 32)
  if (!raw) return undefined
  if (!crcLeads(raw)) return 'checksum'
  return { address: text.toLowerCase(), strength: 'checksum', network: 'main', kind: 'account' }
}

/** Principal: CRC-32 and up to 29 bytes in base 32, in groups of five. */
const principal: AddressCheck = (text) => {
  if (!/^[a-z2-7]{5}(-[a-z2-7]{5})*-[a-z2-7]{1,5}$/.test(text)) return undefined
  const raw = decode(base32nopad, text.replaceAll('-', '').toUpperCase())
  if (!raw || raw.length < 5 || raw.length > 33) return undefined
  if (!crcLeads(raw)) return 'checksum'
  return { address: text, strength: 'checksum', network: 'main', kind: 'principal' }
}

export const internetComputer = anyOf(account, principal)

function crcLeads(raw: Uint8Array): boolean {
  const view = new DataView(raw.buffer, raw.byteOffset)
  return view.getUint32(0) === crc32(raw.subarray(4))
}
