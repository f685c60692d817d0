import { base58 } from '@scure/base'
import { crc32 } from './checksums.ts'
import { decode, decodeBech32, wordBytes } from './decode.ts'
import { type AddressCheck, anyOf } from './verdict.ts'

/** CIP-19: the high half of the first byte is the kind, the low half the network. */
const shelley: AddressCheck = (text) => {
  const prefix = text.slice(0, text.indexOf('1')).toLowerCase()
  if (!['addr', 'addr_test', 'stake', 'stake_test'].includes(prefix)) return undefined
  const decoded = decodeBech32(text, prefix)
  if (decoded === 'checksum' || decoded === undefined) return decoded
  if (prefix.startsWith('stake'))
    return {
      refused: 'A stake address cannot receive payments: use the address that begins with addr1.',
    }
  const bytes = wordBytes(decoded.words)
  const kind = kindOf((bytes?.[0] ?? 0xff) >> 4, bytes?.length ?? 0)
  const network = prefix === 'addr' ? 'main' : 'test'
  if (kind === undefined || ((bytes?.[0] ?? 0) & 15) !== (network === 'main' ? 1 : 0))
    return undefined
  return { address: decoded.address, strength: 'checksum', network, kind }
}

function kindOf(type: number, length: number): string | undefined {
  if (type <= 3) return length === 57 ? 'base' : undefined
  if (type <= 5) return length > 29 && length <= 45 ? 'pointer' : undefined
  return type <= 7 && length === 29 ? 'enterprise' : undefined
}

/**
 * Addresses of the first era: CBOR [24(bytes), crc32]. Read by hand: general CBOR decoders have been seen
 * to exhaust memory on a mistyped one.
 */
const byron: AddressCheck = (text) => {
  if (!/^(Ae2|Ddz|37b|2c|FHn)/.test(text)) return undefined
  const raw = decode(base58, text)
  if (raw?.[0] !== 0x82 || raw[1] !== 0xd8 || raw[2] !== 0x18) return undefined
  const [start, length] = raw[3] === 0x58 ? [5, raw[4] as number] : [4, (raw[3] as number) & 0x1f]
  const payload = raw.subarray(start, start + length)
  const tail = raw.subarray(start + length)
  if (payload.length !== length || tail.length < 1) return undefined
  if (!sameNumber(tail, crc32(payload))) return 'checksum'
  if (payload[0] !== 0x83 || payload[1] !== 0x58 || payload[2] !== 28) return undefined
  const network = namesTestNetwork(payload.subarray(31)) ? 'test' : 'main'
  return { address: text, strength: 'checksum', network, kind: 'byron' }
}

/** CBOR writes numbers in the fewest bytes: a checksum that begins with zeros is shorter. */
function sameNumber(cbor: Uint8Array, expected: number): boolean {
  const size = { 24: 1, 25: 2, 26: 4 }[cbor[0] as number] ?? 0
  if (cbor.length !== size + 1) return false
  const value = size === 0 ? cbor[0] : cbor.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
  return value === expected
}

/**
 * Attribute 2 of a Byron address is the number of a test network; it follows attribute 1, if
 * present.
 */
function namesTestNetwork(attributes: Uint8Array): boolean {
  const count = (attributes[0] ?? 0) & 0x1f
  if (count === 0) return false
  if (attributes[1] === 2) return true
  const pathLength = attributes[2] === 0x58 ? (attributes[3] ?? 0) + 1 : (attributes[2] ?? 0) & 0x1f
  return count > 1 && attributes[3 + pathLength] === 2
}

export const cardano = anyOf(shelley, byron)
