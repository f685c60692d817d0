import { type ChainTicker, chains, findChain, findNetwork, otherChains } from './chains.ts'
import { mainTicker } from './main-ticker.ts'

/**
 * Currencies without their own chain: the chains on which each is paid, the usual one first. Only
 * chains to which the issuer or the chain's own bridge brings the token: a third-party copy is
 * another token.
 */
const networks: Readonly<Record<string, readonly ChainTicker[]>> = {
  USDT: ['ETH', 'TRX', 'SOL', 'BNB', 'MATIC', 'AVAX', 'CELO'],
  USDC: ['ETH', 'SOL', 'BNB', 'MATIC', 'AVAX', 'ALGO', 'XLM', 'CELO', 'NEAR'],
  BUSD: ['ETH', 'BNB'],
  DAI: ['ETH', 'BNB', 'MATIC', 'AVAX'],
  TUSD: ['ETH', 'TRX', 'BNB', 'AVAX'],
  PAX: ['ETH'],
  UST: ['LUNA'],
  WBTC: ['ETH', 'MATIC'],
  BTCB: ['BNB'],
  CAKE: ['BNB', 'ETH', 'SOL'],
  XVS: ['BNB', 'ETH'],
  BAKE: ['BNB'],
  BTT: ['TRX', 'BNB', 'ETH'],
  HNT: ['SOL'],
  TFUEL: ['THETA'],
  GRT: ['ETH', 'MATIC', 'AVAX'],
  LINK: ['ETH', 'BNB', 'MATIC', 'AVAX', 'SOL'],
  SUSHI: ['ETH', 'MATIC'],
  REV: ['ETH', 'TRX'],
}

/** Ethereum tokens without a row above. */
const ethereumTokens =
  'LEO UNI AAVE SHIB MKR COMP YFI CHZ SNX FTT OKB TEL NEXO MANA HOT BAT CEL ENJ UMA BNT ZRX OMG CHSB CRV ANKR'

/** The chains of a currency: its own chain, the chains of a token, or undefined if unknown. */
export function networksOf(currency: string): readonly string[] | undefined {
  const ticker = mainTicker(currency)
  if (findChain(ticker)) return [ticker]
  if (Object.hasOwn(networks, ticker)) return networks[ticker]
  return ethereumTokens.split(' ').includes(ticker) ? ['ETH'] : undefined
}

/** Other names of a chain, mostly its token standard. */
const networkNames: Readonly<Record<string, string>> = {
  ERC20: 'ETH',
  TRC20: 'TRX',
  BEP20: 'BNB',
  BSC: 'BNB',
  BNBCHAIN: 'BNB',
  BINANCESMARTCHAIN: 'BNB',
  SPL: 'SOL',
  POLYGONPOS: 'MATIC',
  AVAXC: 'AVAX',
  AVAXCCHAIN: 'AVAX',
  AVALANCHEC: 'AVAX',
  AVALANCHECCHAIN: 'AVAX',
  CRC20: 'CRO',
  KAIA: 'KLAY',
  COSMOS: 'ATOM',
  XRPL: 'XRP',
  ARB: 'ARBITRUM',
  OP: 'OPTIMISM',
  XDAI: 'GNOSIS',
  MNT: 'MANTLE',
  TONCOIN: 'TON',
}

/** The ticker of a chain in any spelling; an unknown chain keeps its name. */
export function networkTicker(network: string): string {
  const ticker = mainTicker(network.replace(/[ _-]/g, ''))
  if (findNetwork(ticker)) return ticker
  if (Object.hasOwn(networkNames, ticker)) return networkNames[ticker] as string
  return tickersByName().get(ticker) ?? mainTicker(network)
}

let byName: Map<string, string> | undefined

/** Built once: a lookup of a token compares the network of every token record. */
function tickersByName(): Map<string, string> {
  byName ??= new Map(
    Object.entries({ ...otherChains, ...chains }).map(([ticker, { name }]) => [
      name.replaceAll(' ', '').toUpperCase(),
      ticker,
    ]),
  )
  return byName
}

/** Whether the text names a network that the directory knows. */
export const isNetwork = (text: string): boolean => findNetwork(networkTicker(text)) !== undefined

/** The displayed name of a network; the ticker of an unknown one. */
export function networkName(network: string): string {
  return findNetwork(networkTicker(network))?.name ?? network
}

/** True if a token on this chain is sent to the plain account address. */
export function sharesAddresses(network: string): boolean {
  return findChain(networkTicker(network))?.tokensAt !== undefined
}
