/** A token's contract (or mint) on a chain, and its decimal places. */
export type TokenContract = { contract: string; decimals: number }

/**
 * Well-known contracts only: a payment request with a wrong contract loses money, so an unlisted
 * token gets a plain address.
 */
const contracts: Readonly<Record<string, string>> = {
  'USDT:ETH': '0xdAC17F958D2ee523a2206206994597C13D831ec7 6',
  'USDC:ETH': '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 6',
  'DAI:ETH': '0x6B175474E89094C44Da98b954EedeAC495271d0F 18',
  'LINK:ETH': '0x514910771AF9Ca656af840dff83E8264EcF986CA 18',
  'UNI:ETH': '0x1f9840a85d5aF5bf1D1762F925BDADdC4201F984 18',
  'WBTC:ETH': '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599 8',
  'AAVE:ETH': '0x7Fc66500c84A76Ad7e9c93437bFc5Ac33E2DDaE9 18',
  'MKR:ETH': '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2 18',
  'SHIB:ETH': '0x95aD61b0a150d79219dCF64E1E6Cc01f0B64C4cE 18',
  'BAT:ETH': '0x0D8775F648430679A709E98d2b0Cb6250d2887EF 18',
  'GRT:ETH': '0xc944E90C64B2c07662A292be6244BDf05Cda44a7 18',
  'COMP:ETH': '0xc00e94Cb662C3520282E6f5717214004A7f26888 18',
  'YFI:ETH': '0x0bc529c00C6401aEF6D220BE8C6Ea1667F6Ad93e 18',
  'ZRX:ETH': '0xE41d2489571d322189246DaFA5ebDe1F4699F498 18',
  'CRV:ETH': '0xD533a949740bb3306d119CC777fa900bA034cd52 18',
  'SUSHI:ETH': '0x6B3595068778DD592e39A122f4f5a5cF09C90fE2 18',
  'MANA:ETH': '0x0F5D2fB29fb7d3CFeE444a200298f468908cC942 18',
  'WETH:ETH': '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2 18',
  'BUSD:ETH': '0x4Fabb145d64652a948d72533023f6E7A623C7C53 18',
  'USDT:BNB': '0x55d398326f99059fF775485246999027B3197955 18',
  'USDC:BNB': '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d 18',
  'USDC:MATIC': '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359 6',
  'USDT:MATIC': '0xc2132D05D31c914a87C6611C10748AEb04B58e8F 6',
  'USDC:AVAX': '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E 6',
  'USDC:SOL': 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v 6',
  'USDT:SOL': 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB 6',
  'USDT:TRX': 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t 6',
}

export function tokenContract(token: string, network: string): TokenContract | undefined {
  const key = `${token.toUpperCase()}:${network}`
  if (!Object.hasOwn(contracts, key)) return undefined
  const [contract, decimals] = (contracts[key] as string).split(' ') as [string, string]
  return { contract, decimals: Number(decimals) }
}

let tokensByContract: Map<string, string> | undefined

/** The token with its contract at a checked address, if listed. */
export function tokenOfContract(address: string): string | undefined {
  tokensByContract ??= new Map(
    Object.entries(contracts).map(([key, row]) => [
      row.split(' ')[0] as string,
      key.split(':')[0] as string,
    ]),
  )
  return tokensByContract.get(address)
}

/** Tests check every contract against its own checksum. */
export const tokenContractKeys: readonly string[] = Object.keys(contracts)
