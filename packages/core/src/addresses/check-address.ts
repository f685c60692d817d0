import { AddressError } from './address-error.ts'
import { strangerOf } from './bech32-accounts.ts'
import { findNetwork } from './chains.ts'
import { MAX_ADDRESS_LENGTH } from './decode.ts'
import { type ChainCandidate, detectChain, isTelling } from './detect-chain.ts'
import { mainTicker } from './main-ticker.ts'
import { refuseStrangers } from './plain-signs.ts'
import { tokenOfContract } from './token-contracts.ts'
import { networksOf } from './token-networks.ts'
import { type AddressMatch, isMatch, type Strength, type Verdict } from './verdict.ts'

export type CheckedAddress = {
  address: string
  strength: Strength
  /** Ticker of the chain; null if the currency is unknown and nothing was checked. */
  network: string | null
  kind: string
}

/**
 * How well the text that the owner entered is verified. The service adds the checksum to addresses
 * of the Ethereum kind itself, so the checksum of a stored one proves nothing.
 */
export const storedStrength = ({ strength, kind }: CheckedAddress): Strength =>
  strength === 'checksum' && kind === 'evm' ? 'format' : strength

/** Checks an address of a coin, token or network; throws `AddressError`. */
export function checkAddress(currency: string, text: string): CheckedAddress {
  refuseUnprintable(text)
  const ticker = mainTicker(currency)
  const networks = networksOf(ticker) ?? (findNetwork(ticker) && [ticker])
  if (!networks) return { address: text, strength: 'none', network: null, kind: 'unknown' }
  const verdicts = networks.map((network) => {
    const verdict = findNetwork(network)?.check(text)
    // A format that many chains share proves nothing unless the chain itself is named.
    const isVague = network !== ticker && isMatch(verdict) && verdict.kind === 'implicit'
    return { network, verdict: isVague ? undefined : verdict }
  })
  const matches = verdicts.flatMap(({ network, verdict }) =>
    isMatch(verdict) && verdict.network === 'main' ? [accept(network, verdict)] : [],
  )
  const best = matches.find(({ strength }) => strength === 'checksum') ?? matches[0]
  if (!best) throw explain(text, networks, verdicts)
  if (best.strength === 'format') refuseProvenOther(text, networks)
  refuseGraves(best.address)
  return best
}

/** Valid addresses without an owner (burn addresses), in the spelling of their check. */
const graves: ReadonlySet<string> = new Set([
  '0x0000000000000000000000000000000000000000',
  '0x000000000000000000000000000000000000dEaD',
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ',
  'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
  '1111111111111111111114oLvT2',
])

function refuseGraves(address: string): void {
  if (graves.has(address)) {
    throw new AddressError(
      'other_address_kind',
      'Anything sent to this address is lost forever. Use your own address.',
    )
  }
  const token = tokenOfContract(address)
  if (token) {
    throw new AddressError(
      'other_address_kind',
      `This is the contract of ${token} itself, and anything sent to it is lost. Use your own address.`,
    )
  }
}

/** A loose format also matches addresses of other chains; their checksum decides. */
function refuseProvenOther(text: string, networks: readonly string[]): void {
  const provenCandidates = detectChain(text).filter(({ strength }) => strength === 'checksum')
  if (provenCandidates.length > 0) throw otherChain(provenCandidates, networks)
}

function accept(network: string, { address, strength, kind }: AddressMatch): CheckedAddress {
  return { address, strength, network, kind }
}

function explain(
  text: string,
  networks: readonly string[],
  verdicts: readonly { network: string; verdict: Verdict }[],
): AddressError {
  const others = detectChain(text).filter(isTelling)
  // Test networks reuse letters of main networks.
  const isReal = others.some((c) => c.strength === 'checksum' && c.network === 'main')
  for (const { network, verdict } of verdicts) {
    if (isMatch(verdict) && !isReal)
      return new AddressError(
        'test_network',
        `This is ${article(nameOf(network))} test-network address: use one of the main network.`,
      )
    if (typeof verdict === 'object' && !isMatch(verdict))
      return new AddressError('other_address_kind', verdict.refused)
  }
  const mistyped = verdicts.find(({ verdict }) => verdict === 'checksum')
  if (mistyped && others[0]?.strength !== 'checksum') {
    return new AddressError(
      'wrong_checksum',
      `This ${nameOf(mistyped.network)} address has a typo: its checksum is wrong. Copy it again.`,
    )
  }
  if (others.length > 0) return otherChain(others, networks)
  const stranger = strangerOf(text)
  if (stranger) return notOf(networks, `${article(stranger)} address`)
  const expected = article(listNames(networks))
  return new AddressError(
    'malformed_address',
    /^(0x)?[0-9a-f]{64}$/i.test(text)
      ? `This is not ${expected} address: 64 hex digits may be a transaction hash or a private key, which must never be published.`
      : `This is not ${expected} address.`,
  )
}

function otherChain(
  candidates: readonly ChainCandidate[],
  networks: readonly string[],
): AddressError {
  const first = candidates[0] as ChainCandidate
  const rivals = candidates.filter(
    ({ strength, network }) => strength === first.strength && network === first.network,
  )
  const most = first.kind === 'evm' ? 1 : 3
  const rivalNames = listNames(rivals.slice(0, most).map(({ ticker }) => ticker))
  const kind = first.network === 'test' ? 'test-network address' : 'address'
  return notOf(networks, `${article(rivalNames)} ${kind}`)
}

function notOf(networks: readonly string[], subject: string): AddressError {
  const message = `This is ${subject}, not ${article(listNames(networks))} one.`
  return new AddressError('other_chain', message)
}

function refuseUnprintable(text: string): void {
  if (text === '') throw new AddressError('malformed_address', 'The address is empty.')
  if (text.length > MAX_ADDRESS_LENGTH)
    throw new AddressError(
      'malformed_address',
      `An address has at most ${MAX_ADDRESS_LENGTH} characters.`,
    )
  if (/\s/.test(text))
    throw new AddressError('malformed_address', 'An address has no spaces or line breaks.')
  refuseStrangers(text)
}

function nameOf(network: string): string {
  return findNetwork(network)?.name ?? network
}

function listNames(tickers: readonly string[]): string {
  const names = tickers.map(nameOf)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : (names[0] ?? '')
}

function article(name: string): string {
  return `${/^([AEIO]|XRP)/.test(name) ? 'an' : 'a'} ${name}`
}
