import { networkTicker } from '../addresses/token-networks.ts'
import { knownTokens } from './known-tokens.ts'
import { RecordError } from './record-error.ts'
import { checkOptionalText, checkText } from './text.ts'

/** A token on a chain, and its address. */
export type TokenData = {
  short_name: string
  long_name: string
  settlement_network: string
  address: string
  description: string
  signature: string
}

/** Parses `short|long|network|address|description|signature`. Never throws. */
export function parseTokenData(data: string): TokenData {
  const [short_name = '', long_name = '', settlement_network = '', address = '', ...rest] =
    data.split('|')
  const [description = '', signature = ''] = rest
  return { short_name, long_name, settlement_network, address, description, signature }
}

export function buildTokenData(
  token: Omit<TokenData, 'description' | 'signature'> & Partial<TokenData>,
): string {
  const {
    short_name,
    long_name,
    settlement_network,
    address,
    description = '',
    signature = '',
  } = token
  return [short_name, long_name, settlement_network, address, description, signature].join('|')
}

/** Validates the parts; normalises token and network. */
export function checkTokenData(data: string): TokenData {
  const count = data.split('|', 8).length
  if (count < 4 || count > 6)
    throw new RecordError(
      'malformed_data',
      'The format is short|long|network|address|description|signature.',
    )
  const token = parseTokenData(data)
  if (!/^[A-Za-z0-9$.+_-]{1,16}$/.test(token.short_name))
    throw new RecordError(
      'malformed_data',
      'The short name of a token must have 1 to 16 letters, digits or signs ($ . + _ -).',
      'short name',
    )
  const settlement_network = networkTicker(token.settlement_network)
  if (!/^[A-Z0-9]{2,12}$/.test(settlement_network))
    throw new RecordError(
      'malformed_data',
      'Name the network of a token by its ticker, such as ETH.',
      'network',
    )
  checkText(token.long_name, 64, 'long name')
  checkOptionalText(token.description, 255, 'description')
  checkOptionalText(token.signature, 512, 'signature')
  return { ...token, short_name: mainSpelling(token.short_name), settlement_network }
}

/** One key per token: a known name in its known spelling, any other in capitals. */
function mainSpelling(name: string): string {
  const upper = name.toUpperCase()
  const knownToken = knownTokens().find(({ short_name }) => short_name.toUpperCase() === upper)
  return knownToken?.short_name ?? upper
}

export type TickerAddress = { ticker: string; address: string }

/** Parses `TICKER|address` of 0x3fff. Never throws. */
export function parseTickerAddress(data: string): TickerAddress {
  const [ticker = '', address = ''] = data.split('|')
  return { ticker, address }
}

export function buildTickerAddress({ ticker, address }: TickerAddress): string {
  return `${ticker}|${address}`
}

export function checkTickerAddress(data: string): TickerAddress {
  const parts = /^([A-Za-z0-9]{3,8})\|([^| ]{1,128})$/u.exec(data)
  if (!parts)
    throw new RecordError(
      'malformed_data',
      'The format is TICKER|address: 3 to 8 letters or digits, then an address of 1 to 128 characters without spaces.',
      /^[A-Za-z0-9]{3,8}\|/.test(data) ? 'address' : 'ticker',
    )
  return {
    ticker: (parts[1] as string).toUpperCase(),
    address: checkText(parts[2] as string, 512, 'address'),
  }
}
