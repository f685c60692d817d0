import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/**
 * The address that signed a text with `personal_sign`, in lower case; undefined if the signature is
 * invalid. Of the two valid signatures of a text and key, only the canonical low-s one is accepted.
 */
export function recoverSigner(text: string, signature: string): string | undefined {
  if (!/^0x[0-9a-f]{130}$/i.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return undefined
  try {
    const parts = Buffer.concat([Buffer.from([recovery]), bytes.subarray(0, 64)])
    if (secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact').hasHighS()) return undefined
    const digest = prefixMessage(Buffer.from(text))
    const pubkey = secp256k1.recoverPublicKey(parts, digest, { prehash: false })
    return addressOf(secp256k1.Point.fromBytes(pubkey).toBytes(false))
  } catch {
    return undefined
  }
}

export type EthereumSigner = {
  /** The address in lower case. */
  address: string
  /** Signs the hash of packed bytes, as a wallet signs a message. */
  sign(packed: Uint8Array): string
}

export function createEthereumSigner(secret: Uint8Array): EthereumSigner {
  return {
    address: addressOf(secp256k1.getPublicKey(secret, false)),
    sign(packed) {
      const digest = prefixMessage(keccak_256(packed))
      const options = { prehash: false, format: 'recovered' } as const
      const [recovery = 0, ...rest] = secp256k1.sign(digest, secret, options)
      return `0x${Buffer.from([...rest, 27 + recovery]).toString('hex')}`
    },
  }
}

/** Nearly every 32 bytes are a valid key. */
export const isSecretKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidSecretKey(bytes)

function addressOf(point: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(point.subarray(1)))
    .subarray(-20)
    .toString('hex')}`
}

function prefixMessage(message: Uint8Array): Uint8Array {
  const prefix = `\x19Ethereum Signed Message:\n${message.length}`
  return keccak_256(Buffer.concat([Buffer.from(prefix), message]))
}
