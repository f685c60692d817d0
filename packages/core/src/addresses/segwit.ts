import { decodeBech32, wordBytes } from './decode.ts'
import type { AddressCheck, NetworkKind } from './verdict.ts'

/** BIP-173 and BIP-350: version 0 is bech32, version 1 (taproot) bech32m; later versions are not in use. */
export function segwit(prefixes: Readonly<Record<string, NetworkKind>>): AddressCheck {
  return (text) => {
    const prefix = Object.keys(prefixes).find((hrp) => text.toLowerCase().startsWith(`${hrp}1`))
    if (prefix === undefined) return undefined
    const decoded = decodeBech32(text, prefix)
    if (decoded === 'checksum' || decoded === undefined) return decoded
    const [version, ...words] = decoded.words
    const kind = witnessKind(version, wordBytes(words)?.length, decoded.variant)
    if (kind === undefined) return undefined
    const network = prefixes[prefix] as NetworkKind
    return { address: decoded.address, strength: 'checksum', network, kind }
  }
}

function witnessKind(version: number | undefined, length: number | undefined, variant: string) {
  if (version === 0 && variant === 'bech32')
    return length === 20 ? 'p2wpkh' : length === 32 ? 'p2wsh' : undefined
  return version === 1 && variant === 'bech32m' && length === 32 ? 'p2tr' : undefined
}
