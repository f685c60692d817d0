import { type ChainTicker, findChain } from './chains.ts'

/** Currencies without a chain of their own: the chains on which each is paid, the usual one first. */
const networks: Readonly<Record<string, readonly ChainTicker[]>> = {
  USDT: ['ETH', 'TRX', 'SOL', 'BNB', 'MATIC', 'AVAX', 'CELO'],
  USDC: ['ETH', 'SOL', 'BNB', 'MATIC', 'AVAX', 'ALGO', 'XLM', 'CELO', 'NEAR'],
  BUSD: ['ETH', 'BNB'],
  DAI: ['ETH', 'BNB', 'MATIC', 'AVAX'],
  TUSD: ['ETH', 'TRX', 'BNB', 'AVAX'],
  PAX: ['ETH'],
  UST: ['LUNA', 'ETH'],
  WBTC: ['ETH', 'MATIC', 'SOL'],
  BTCB: ['BNB'],
  CAKE: ['BNB', 'ETH', 'SOL'],
  XVS: ['BNB', 'ETH'],
  BAKE: ['BNB'],
  BTT: ['TRX', 'BNB', 'ETH'],
  HNT: ['SOL'],
  TFUEL: ['THETA'],
  GRT: ['ETH', 'SOL', 'MATIC', 'AVAX'],
  LINK: ['ETH', 'BNB', 'MATIC', 'AVAX', 'SOL'],
  FTT: ['ETH', 'SOL', 'BNB'],
  SUSHI: ['ETH', 'MATIC', 'SOL'],
  REV: ['ETH', 'TRX', 'BNB'],
}

/** Ethereum tokens without a row of their own above. */
const ethereumTokens =
  'LEO UNI AAVE SHIB MKR COMP YFI CHZ SNX OKB TEL NEXO MANA HOT BAT CEL ENJ UMA BNT ZRX OMG CHSB CRV ANKR'

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
