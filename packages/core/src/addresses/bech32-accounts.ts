import { decodeBech32, wordBytes } from './decode.ts'
import { evm } from './evm.ts'
import { type AddressCheck, anyOf, type NetworkKind, refuse } from './verdict.ts'

type Bech32Form = { lengths: readonly number[]; start?: string; first?: number }

/** A human-readable prefix per network, and the bytes of an account. */
function bech32Account(
  prefixes: Readonly<Record<string, NetworkKind>>,
  { lengths, start = '', first }: Bech32Form,
): AddressCheck {
  return (text) => {
    if (!text.toLowerCase().startsWith(start.toLowerCase())) return undefined
    const body = text.slice(start.length)
    const prefix = Object.keys(prefixes).find((hrp) => body.toLowerCase().startsWith(`${hrp}1`))
    if (prefix === undefined) return undefined
    const decoded = decodeBech32(body, prefix)
    if (decoded === 'checksum' || decoded === undefined) return decoded
    const bytes = wordBytes(decoded.words)
    if (decoded.variant !== 'bech32' || !bytes || !lengths.includes(bytes.length)) return undefined
    if (first !== undefined && bytes[0] !== first) return undefined
    const network = prefixes[prefix] as NetworkKind
    return { address: start + decoded.address, strength: 'checksum', network, kind: 'account' }
  }
}

/** Accounts have 20 bytes, contracts and module accounts 32. */
const cosmosLengths = { lengths: [20, 32] }

export const cosmos = bech32Account({ cosmos: 'main' }, cosmosLengths)
export const terra = bech32Account({ terra: 'main' }, cosmosLengths)
export const thorchain = bech32Account(
  { thor: 'main', tthor: 'test', sthor: 'test' },
  cosmosLengths,
)
export const cronos = anyOf(evm, bech32Account({ cro: 'main', tcro: 'test' }, cosmosLengths))
export const injective = anyOf(evm, bech32Account({ inj: 'main' }, cosmosLengths))
/** Chains without a ticker here; listed so that an error can name them. */
const strangers: Readonly<Record<string, string>> = {
  akash: 'Akash',
  axelar: 'Axelar',
  celestia: 'Celestia',
  dydx: 'dYdX',
  evmos: 'Evmos',
  inj: 'Injective',
  juno: 'Juno',
  kava: 'Kava',
  kujira: 'Kujira',
  neutron: 'Neutron',
  noble: 'Noble',
  osmo: 'Osmosis',
  persistence: 'Persistence',
  secret: 'Secret Network',
  sei: 'Sei',
  stars: 'Stargaze',
  stride: 'Stride',
}

/** The name of the Cosmos chain of an address, if it is none of ours. */
export function strangerOf(text: string): string | undefined {
  const prefix = text.slice(0, text.lastIndexOf('1')).toLowerCase()
  if (!Object.hasOwn(strangers, prefix)) return undefined
  return typeof decodeBech32(text, prefix) === 'object' ? strangers[prefix] : undefined
}

export const multiversX = bech32Account({ erd: 'main' }, { lengths: [32] })
export const zilliqa = bech32Account({ zil: 'main', tzil: 'test' }, { lengths: [20] })
export const harmony = anyOf(evm, bech32Account({ one: 'main', tone: 'test' }, { lengths: [20] }))

export const avalanche = anyOf(
  evm,
  bech32Account({ avax: 'main', fuji: 'test' }, { lengths: [20], start: 'X-' }),
)

/**
 * Since 2025 accounts are 32 bytes as hex; the older bech32 spelling of the same key is accepted.
 */
export const iota: AddressCheck = anyOf(
  bech32Account({ iota: 'main', atoi: 'test', rms: 'test' }, { lengths: [33], first: 0 }),
  (text) =>
    /^0x[0-9a-fA-F]{64}$/.test(text)
      ? { address: text.toLowerCase(), strength: 'format', network: 'main', kind: 'account' }
      : undefined,
)

export const bnb = anyOf(
  evm,
  refuse(
    bech32Account({ bnb: 'main', tbnb: 'test' }, { lengths: [20] }),
    'The chain of bnb1 addresses was shut down in 2024: use an address that begins with 0x.',
  ),
)
