import { networksOf } from '../addresses/token-networks.ts'
import { tokenLines } from './generated/tokens.ts'

export type KnownToken = { short_name: string; long_name: string; settlement_network: string }

let tokens: readonly KnownToken[] | undefined

/** Tokens that a 0x6300 record is usually made for; any other short name is accepted too. */
export function knownTokens(): readonly KnownToken[] {
  tokens ??= tokenLines
    .trim()
    .split('\n')
    .map((line) => {
      const [short_name, long_name, settlement_network] = line.split('|') as [
        string,
        string,
        string,
      ]
      return { short_name, long_name, settlement_network }
    })
  return tokens
}

/** Every chain on which a coin or token is known to be paid; empty for one that we do not know. */
export function knownNetworks(name: string): string[] {
  const upper = name.toUpperCase()
  const rows = knownTokens().filter(({ short_name }) => short_name.toUpperCase() === upper)
  return [...new Set([...(networksOf(name) ?? []), ...rows.map((row) => row.settlement_network)])]
}
