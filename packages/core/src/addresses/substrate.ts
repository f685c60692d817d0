import { blake2b } from '@noble/hashes/blake2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { decode, equalBytes } from './decode.ts'
import type { AddressCheck } from './verdict.ts'

const context = /* @__PURE__ */ utf8ToBytes('SS58PRE')
/** The generic prefix: wallets show any key with it, and test networks use it. */
const GENERIC = 42

/** SS58: network prefix, 32 bytes of key, two bytes of BLAKE2b. */
export function substrate(prefix: number, name: string): AddressCheck {
  return (text) => {
    const raw = decode(base58, text)
    if (raw?.length !== 35 || (raw[0] !== prefix && raw[0] !== GENERIC)) return undefined
    const sum = blake2b(concatBytes(context, raw.subarray(0, 33))).subarray(0, 2)
    if (!equalBytes(sum, raw.subarray(33))) return 'checksum'
    if (raw[0] === GENERIC)
      return {
        refused: `This generic address format belongs to many chains and test networks. Use the ${name} format of the address.`,
      }
    return { address: text, strength: 'checksum', network: 'main', kind: 'account' }
  }
}
