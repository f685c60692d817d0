import { base64url } from '@scure/base'
import { crc16 } from './checksums.ts'
import { decode } from './decode.ts'
import { type AddressCheck, anyOf } from './verdict.ts'

/** Flags, workchain, 32 bytes and CRC-16 as 48 letters; stored in the URL-safe spelling. */
const friendly: AddressCheck = (text) => {
  const address = text.replaceAll('+', '-').replaceAll('/', '_')
  const raw = address.length === 48 ? decode(base64url, address) : undefined
  // 0x11: bounceable; 0x51: not bounceable; 0x80 on top: for test networks only.
  if (!raw || ![0x11, 0x51].includes((raw[0] as number) & 0x7f)) return undefined
  if (raw[1] !== 0 && raw[1] !== 0xff) return undefined
  if (crc16(raw.subarray(0, 34)) !== (raw[34] as number) * 256 + (raw[35] as number))
    return 'checksum'
  if (raw.subarray(2, 34).every((byte) => byte === 0)) return burnAddress
  const network = (raw[0] as number) & 0x80 ? 'test' : 'main'
  return { address, strength: 'checksum', network, kind: 'account' }
}

const plain: AddressCheck = (text) => {
  if (!/^(0|-1):[0-9a-fA-F]{64}$/.test(text)) return undefined
  if (/:0+$/.test(text)) return burnAddress
  return { address: text.toLowerCase(), strength: 'format', network: 'main', kind: 'account' }
}

const burnAddress = {
  refused: 'Anything sent to this address is lost forever. Use your own address.',
}

export const ton = anyOf(friendly, plain)
