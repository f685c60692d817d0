import { type ChainTicker, chains, findChain, findNetwork, otherChains } from './chains.ts'
import { mainTicker } from './main-ticker.ts'

/**
 * Currencies without a chain of their own: the chains on which each is paid, the usual one first. Only chains
 * to which the issuer or the chain's own bridge brings the token: a stranger's copy is another token.
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

/** Ethereum tokens without a row of their own above. */
const ethereumTokens =
  'LEO UNI AAVE SHIB MKR COMP YFI CHZ SNX FTT OKB TEL NEXO MANA HOT BAT CEL ENJ UMA BNT ZRX OMG CHSB CRV ANKR'

/** Where a currency is paid: its own chain, the chains of a token, or undefined when we do not know it. */
export function networksOf(currency: string): readonly string[] | undefined {
  const ticker = mainTicker(currency)
  if (findChain(ticker)) return [ticker]
  if (Object.hasOwn(networks, ticker)) return networks[ticker]
  return ethereumTokens.split(' ').includes(ticker) ? ['ETH'] : undefined
}

/** What people call a chain, besides its ticker and its name: mostly the standard of its tokens. */
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

/** The ticker of the chain that is meant, in any spelling; a chain we do not know keeps its name. */
export function networkTicker(network: string): string {
  const bare = mainTicker(network.replace(/[ _-]/g, ''))
  if (findNetwork(bare)) return bare
  if (Object.hasOwn(networkNames, bare)) return networkNames[bare] as string
  const named = Object.entries({ ...chains, ...otherChains }).find(
    ([, { name }]) => name.replaceAll(' ', '').toUpperCase() === bare,
  )
  return named?.[0] ?? mainTicker(network)
}

/** What people read for a network: its name, or the ticker of one that we do not know. */
export function networkName(network: string): string {
  return findNetwork(networkTicker(network))?.name ?? network
}

/** Chains on which a token can be sent to the plain account address. */
export function sharesAddresses(network: string): boolean {
  return findChain(networkTicker(network))?.tokensAt !== undefined
}
