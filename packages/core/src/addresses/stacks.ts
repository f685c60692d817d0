import { concatBytes } from '@noble/hashes/utils.js'
import { doubleSha256 } from './checksums.ts'
import { equalBytes } from './decode.ts'
import type { AddressCheck, NetworkKind } from './verdict.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const versions: Readonly<Record<string, readonly [kind: string, network: NetworkKind]>> = {
  P: ['p2pkh', 'main'],
  M: ['p2sh', 'main'],
  T: ['p2pkh', 'test'],
  N: ['p2sh', 'test'],
}

/** c32check: S, a letter for the version, then 20 bytes and four of checksum in Crockford's base 32. */
export const stacks: AddressCheck = (text) => {
  const address = text.toUpperCase()
  const version = versions[address.charAt(1)]
  if (!/^S[PMTN][0-9A-HJKMNP-TV-Z]{20,41}$/.test(address) || !version) return undefined
  const raw = crockfordBytes(address.slice(2))
  if (!raw) return undefined
  const covered = concatBytes(
    Uint8Array.of(letters.indexOf(address.charAt(1))),
    raw.subarray(0, 20),
  )
  if (!equalBytes(doubleSha256(covered).subarray(0, 4), raw.subarray(20))) return 'checksum'
  const [kind, network] = version
  return { address, strength: 'checksum', network, kind }
}

/**
 * Leading zeros are written once per byte, as in base 58, so the text must be the canonical
 * encoding.
 */
function crockfordBytes(text: string): Uint8Array | undefined {
  let value = 0n
  for (const letter of text) value = value * 32n + BigInt(letters.indexOf(letter))
  const bytes = new Uint8Array(24)
  for (let place = 23; place >= 0; place--, value >>= 8n) bytes[place] = Number(value & 255n)
  if (value > 0n) return undefined
  const zeroBytes = bytes.findIndex((byte) => byte !== 0)
  const zeroLetters = text.length - text.replace(/^0+/, '').length
  return zeroBytes === zeroLetters ? bytes : undefined
}
