import { type ChainTicker, findChain } from './chains.ts'

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
  if (findChain(currency)) return [currency]
  if (Object.hasOwn(networks, currency)) return networks[currency]
  return ethereumTokens.split(' ').includes(currency) ? ['ETH'] : undefined
}

/** Chains on which a token can be sent to the plain account address. */
export function sharesAddresses(network: string): boolean {
  return findChain(network)?.tokensAt !== undefined
}
