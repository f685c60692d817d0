import { type BytesCoder, base58 } from '@scure/base'
import { type Digest, doubleSha256 } from './checksums.ts'
import { decode, equalBytes, startsWith } from './decode.ts'
import type { AddressCheck, NetworkKind } from './verdict.ts'

/** Leading bytes → kind of address, for one network. */
export type Versions = readonly (readonly [bytes: readonly number[], kind: string])[]

export type Base58Form = {
  main: Versions
  test?: Versions
  payload?: number
  digest?: Digest
  coder?: BytesCoder
}

/** Version bytes, payload, and the first four bytes of a digest over both, in base 58. */
export function base58Check(form: Base58Form): AddressCheck {
  const { main, test = [], payload = 20, digest = doubleSha256, coder = base58 } = form
  return (text) => {
    const raw = decode(coder, text)
    if (!raw) return undefined
    const fits = ([bytes]: Versions[number]) =>
      raw.length === bytes.length + payload + 4 && startsWith(raw, bytes)
    const match = main.find(fits) ?? test.find(fits)
    if (!match) return undefined
    const sum = digest(raw.subarray(0, -4)).subarray(0, 4)
    if (!equalBytes(sum, raw.subarray(-4))) return 'checksum'
    const network: NetworkKind = main.includes(match) ? 'main' : 'test'
    return { address: text, strength: 'checksum', network, kind: match[1] }
  }
}
