import { networksOf } from '../addresses/token-networks.ts'
import { tokenLines } from './generated/tokens.ts'

export type KnownToken = { short_name: string; long_name: string; settlement_network: string }

let tokens: readonly KnownToken[] | undefined

/** The common tokens of 0x6300 records; any other short name is accepted too. */
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

/** Every known chain of a coin or token; empty if unknown. */
export function knownNetworks(name: string): string[] {
  const upper = name.toUpperCase()
  const rows = knownTokens().filter(({ short_name }) => short_name.toUpperCase() === upper)
  return [...new Set([...(networksOf(name) ?? []), ...rows.map((row) => row.settlement_network)])]
}
