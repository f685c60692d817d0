import { networkTicker } from '../addresses/token-networks.ts'
import { knownTokens } from './known-tokens.ts'
import { RecordError } from './record-error.ts'
import { checkOptionalText, checkText } from './text.ts'

/** A token on a chain, and where to send it. */
export type TokenData = {
  short_name: string
  long_name: string
  settlement_network: string
  address: string
  description: string
  signature: string
}

/** Reads `short|long|network|address|description|signature`. Never throws. */
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

/** Parts that someone wants to store; token and network are written in their main spelling. */
export function checkTokenData(data: string): TokenData {
  const count = data.split('|', 8).length
  if (count < 4 || count > 6)
    throw new RecordError(
      'malformed_data',
      'The form is short|long|network|address|description|signature.',
    )
  const token = parseTokenData(data)
  if (!/^[A-Za-z0-9$.+_-]{1,16}$/.test(token.short_name))
    throw new RecordError(
      'malformed_data',
      'The short name of a token has 1 to 16 letters, digits or signs ($ . + _ -).',
      'short name',
    )
  const settlement_network = networkTicker(token.settlement_network)
  if (!/^[A-Z0-9]{2,12}$/.test(settlement_network))
    throw new RecordError(
      'malformed_data',
      'The network of a token is named by its ticker, such as ETH.',
      'network',
    )
  checkText(token.long_name, 64, 'long name')
  checkOptionalText(token.description, 255, 'description')
  checkOptionalText(token.signature, 512, 'signature')
  return { ...token, short_name: mainSpelling(token.short_name), settlement_network }
}

/** One token has one key: a known name as it is known, any other in capitals. */
function mainSpelling(name: string): string {
  const upper = name.toUpperCase()
  const known = knownTokens().find(({ short_name }) => short_name.toUpperCase() === upper)
  return known?.short_name ?? upper
}

export type TickerAddress = { ticker: string; address: string }

/** Reads `TICKER|address` of 0x3fff. Never throws. */
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
      'The form is TICKER|address: 3 to 8 letters or digits, then an address of 1 to 128 characters without spaces.',
      /^[A-Za-z0-9]{3,8}\|/.test(data) ? 'address' : 'ticker',
    )
  return {
    ticker: (parts[1] as string).toUpperCase(),
    address: checkText(parts[2] as string, 512, 'address'),
  }
}
