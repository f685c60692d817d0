import { base58Check } from './base58-check.ts'
import { decodeBech32, wordBytes } from './decode.ts'
import { type AddressCheck, anyOf, type NetworkKind } from './verdict.ts'

const transparent = base58Check({
  main: [
    [[0x1c, 0xb8], 'p2pkh'],
    [[0x1c, 0xbd], 'p2sh'],
  ],
  test: [
    [[0x1d, 0x25], 'p2pkh'],
    [[0x1c, 0xba], 'p2sh'],
  ],
})

type ShieldedForm = {
  variant: 'bech32' | 'bech32m'
  length?: number
  network: NetworkKind
  kind: string
}

/** Sapling (ZIP 173), unified (ZIP 316) and exchange (ZIP 320) addresses. */
const shieldedForms: Readonly<Record<string, ShieldedForm>> = {
  zs: { variant: 'bech32', length: 43, network: 'main', kind: 'sapling' },
  ztestsapling: { variant: 'bech32', length: 43, network: 'test', kind: 'sapling' },
  u: { variant: 'bech32m', network: 'main', kind: 'unified' },
  utest: { variant: 'bech32m', network: 'test', kind: 'unified' },
  tex: { variant: 'bech32m', length: 20, network: 'main', kind: 'exchange' },
  textest: { variant: 'bech32m', length: 20, network: 'test', kind: 'exchange' },
}

const shielded: AddressCheck = (text) => {
  const prefix = text.slice(0, text.indexOf('1')).toLowerCase()
  const form = Object.hasOwn(shieldedForms, prefix) ? shieldedForms[prefix] : undefined
  if (!form) return undefined
  const decoded = decodeBech32(text, prefix)
  if (decoded === 'checksum' || decoded === undefined) return decoded
  const bytes = wordBytes(decoded.words)
  if (!bytes || decoded.variant !== form.variant) return undefined
  if (form.length === undefined ? bytes.length < 48 : bytes.length !== form.length) return undefined
  return { address: decoded.address, strength: 'checksum', network: form.network, kind: form.kind }
}

export const zcash = anyOf(transparent, shielded)
